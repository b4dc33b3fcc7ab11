import type { WatchBatches } from '../base/db/batch-metrics.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { Problem } from '../base/errors/problem.ts';
import { IdSequence } from '../base/ids.ts';
import { createConsentLookup } from '../consent/index.ts';
import { createSenderDirectory } from '../domains/index.ts';
import type { HandOver } from '../deliver/index.ts';
import { createPlanReset } from '../limits/index.ts';
import { createCategories, type NewMessage } from '../mails/index.ts';
import {
  type ContactHashes,
  createSuppressionLookup,
  createUnsubscribeLookup,
} from '../restrictions/index.ts';
import { createTemplateCache } from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { AcceptMetrics } from './accept-metrics.ts';
import { admit, takeBandwidth } from './admission.ts';
import { composeMessage } from './compose.ts';
import { decideDrops } from './decide-drops.ts';
import type { Draft } from './draft.ts';
import { traceAccept } from './accept-trace.ts';
import { createGroupCommit } from './group-commit.ts';
import { findSource } from './find-source.ts';
import { withoutErased } from './without-erased.ts';
import { RestrictionPrefetch } from './restriction-prefetch.ts';

export interface Acceptance {
  /** Resolves after the commit. Rejects with a `Problem` when the mail is refused; nothing is stored then. */
  acceptMail(draft: Draft, prefetch?: RestrictionPrefetch): Promise<{ msg_id: string }>;
  /** For SMTP, where recipients are known before the message. */
  prefetchRestrictions(instanceId: number): RestrictionPrefetch;
  /** Waits for commits in flight. */
  stop(): Promise<void>;
  /** Stops waiting for a database that cannot be reached. */
  abort(): void;
}

interface AcceptanceOptions extends Pick<
  AcceptContext,
  'db' | 'clock' | 'buckets' | 'instances' | 'renderer'
> {
  notifications: Notifications;
  /** Recognises who was erased or blocked. */
  hashes: ContactHashes;
  /** Absent where this process does not deliver. */
  hand_over?: HandOver;
  /** Absent in commands. */
  metrics?: AcceptMetrics;
  batches?: WatchBatches;
  tracer?: Tracer | undefined;
}

/** The only way in: HTTP, SMTP and forms build a draft and call this. */
export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { db, notifications, clock, buckets, instances, renderer, hashes } = options;
  const { hand_over, metrics, batches, tracer } = options;
  const context: AcceptContext = {
    db,
    clock,
    buckets,
    instances,
    renderer,
    senders: createSenderDirectory(db, notifications),
    templates: createTemplateCache(db, notifications),
    categories: createCategories(db),
    resetPlan: createPlanReset(db),
    findConsent: createConsentLookup(db),
    findSuppressed: createSuppressionLookup(db, hashes),
    findUnsubscribed: createUnsubscribeLookup(db),
    ids: new IdSequence(),
    commits: createGroupCommit(db, hand_over, batches),
  };
  return {
    async acceptMail(draft, prefetch) {
      const began = performance.now();
      try {
        const message = await acceptMail(context, draft, prefetch);
        const duration_ms = performance.now() - began;
        metrics?.accepted(draft.source, message, duration_ms);
        if (tracer) traceAccept(tracer, { draft, message, now: clock.now(), duration_ms });
        return { msg_id: message.msg_id };
      } catch (error) {
        metrics?.refused(draft.source, error, performance.now() - began);
        throw error;
      }
    },
    prefetchRestrictions: (instance_id) =>
      new RestrictionPrefetch({ find: context.findSuppressed, instance_id }),
    stop: async () => await context.commits.drain(),
    abort: () => context.commits.abort(),
  };
}

/** The order of the steps is the order of refusals (contract §6): plan, sender and template, content, bandwidth. */
async function acceptMail(
  context: AcceptContext,
  draft: Draft,
  prefetch?: RestrictionPrefetch,
): Promise<NewMessage> {
  const instance = await context.instances.get(draft.instance_id);
  if (instance.subscription_status !== 'active') throw new Problem('subscription_inactive');
  const sender = await context.senders.find(draft.instance_id, draft.sender_email);
  const drops = await decideDrops(context, { draft, instance, sender, prefetch });
  const admission = await admit(context, instance, { draft, drops });
  try {
    const source = await findSource(context, draft, sender);
    const message = withoutErased(await composeMessage(context, { draft, drops, ...source }));
    await takeBandwidth(context, instance, message);
    await context.commits.write({ message, sender: source.sender, instance });
    return message;
  } catch (error) {
    await admission.release(error);
    throw error;
  }
}
