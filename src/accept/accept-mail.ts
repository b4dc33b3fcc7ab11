import type { Clock } from '../base/clock.ts';
import { isStoreLost } from '../base/db/batcher.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { IdSequence } from '../base/ids.ts';
import { createConsentLookup } from '../consent/index.ts';
import { createSenderDirectory } from '../domains/index.ts';
import type { HandOver } from '../deliver/index.ts';
import type { InstanceDirectory } from '../instances/index.ts';
import { createPlanReset, type SharedBuckets } from '../limits/index.ts';
import { createCategories, type NewMessage } from '../mails/index.ts';
import { createRestrictionLookup, createUnsubscribeLookup } from '../restrictions/index.ts';
import { createTemplateCache, type TemplateRenderer } from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import { composeMessage } from './compose.ts';
import { decideDrops } from './decide-drops.ts';
import type { Draft } from './draft.ts';
import { createGroupCommit } from './group-commit.ts';
import { reserveBandwidth, reservePlanFor, requirePlan, requireSubscription } from './limits.ts';
import { findSource } from './find-source.ts';
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

/** The order of the steps is the order of refusal (contract §6): plan, sender and template, rules, bandwidth. */
async function acceptMail(
  context: AcceptContext,
  draft: Draft,
  ahead?: RecipientsAhead,
): Promise<{ msg_id: string }> {
  const instance = await context.instances.get(draft.instance_id);
  requireSubscription(instance);
  await requirePlan(context, instance, draft);
  const source = await findSource(context, draft);
  const drops = await decideDrops(context, { draft, instance, sender: source.sender, ahead });
  const message: NewMessage = await composeMessage(context, { draft, drops, ...source });
  await reserveBandwidth(context, instance, message);
  const reservation = await reservePlanFor(context, instance, message);
  try {
    await context.commits.write({ message, sender: source.sender, instance });
  } catch (error) {
    // Out of reach, the database cannot take it back: these recipients count, though they were refused.
    if (!isStoreLost(error)) await reservation.release();
    throw error;
  }
  return { msg_id: message.msg_id };
}
