import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { Problem } from '../base/errors/problem.ts';
import { IdSequence } from '../base/ids.ts';
import { createConsentLookup } from '../consent/index.ts';
import { createSenderDirectory } from '../domains/index.ts';
import type { HandOver } from '../deliver/index.ts';
import type { InstanceDirectory } from '../instances/index.ts';
import { createPlanReset, type SharedBuckets } from '../limits/index.ts';
import { createCategories } from '../mails/index.ts';
import { createRestrictionLookup, createUnsubscribeLookup } from '../restrictions/index.ts';
import { createTemplateCache, type TemplateRenderer } from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import { admit, takeBandwidth } from './admission.ts';
import { composeMessage } from './compose.ts';
import { decideDrops } from './decide-drops.ts';
import type { Draft } from './draft.ts';
import { createGroupCommit } from './group-commit.ts';
import { requireSource } from './require-source.ts';
import { RecipientsAhead } from './recipients-ahead.ts';

export interface Acceptance {
  /** Resolves once the mail is on disk; throws the code of what refuses it, with nothing written. */
  acceptMail(draft: Draft, ahead?: RecipientsAhead): Promise<{ msg_id: string }>;
  /** For whoever hears of recipients before the message is there. */
  lookAhead(instanceId: number): RecipientsAhead;
  /** Waits for commits under way. */
  stop(): Promise<void>;
  /** No longer waits for a database that is out of reach. */
  cut(): void;
}

interface AcceptanceOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  buckets: SharedBuckets;
  instances: InstanceDirectory;
  renderer: Pick<TemplateRenderer, 'render'>;
  /** None where nobody delivers. */
  hand_over?: HandOver;
}

/** The one way in: HTTP, SMTP and forms all make a draft and call this. */
export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { db, notifications, clock, buckets, instances, renderer, hand_over } = options;
  const context: AcceptContext = {
    db,
    clock,
    buckets,
    instances,
    renderer,
    senders: createSenderDirectory(db, notifications, clock),
    templates: createTemplateCache(db, notifications, clock),
    categories: createCategories(db, clock),
    forgetPlan: createPlanReset(db, clock),
    findConsent: createConsentLookup(db),
    findRestricted: createRestrictionLookup(db),
    findUnsubscribed: createUnsubscribeLookup(db),
    ids: new IdSequence(),
    commits: createGroupCommit(db, hand_over),
  };
  return {
    acceptMail: (draft, ahead) => acceptMail(context, draft, ahead),
    lookAhead: (instance_id) => new RecipientsAhead({ find: context.findRestricted, clock, instance_id }),
    stop: async () => await context.commits.drain(),
    cut: () => context.commits.cut(),
  };
}

/** The order of the steps is the order of refusal (contract §6): plan, sender and template, content, bandwidth. */
async function acceptMail(
  context: AcceptContext,
  draft: Draft,
  ahead?: RecipientsAhead,
): Promise<{ msg_id: string }> {
  const instance = await context.instances.get(draft.instance_id);
  if (instance.subscription_status !== 'active') throw new Problem('subscription_inactive');
  const sender = await context.senders.find(draft.instance_id, draft.sender_email);
  const drops = await decideDrops(context, { draft, instance, sender, ahead });
  const admission = await admit(context, instance, { draft, drops });
  try {
    const source = await requireSource(context, draft, sender);
    const message = await composeMessage(context, { draft, drops, ...source });
    await takeBandwidth(context, instance, message);
    await context.commits.write({ message, sender: source.sender, instance });
    return { msg_id: message.msg_id };
  } catch (error) {
    await admission.release(error);
    throw error;
  }
}
