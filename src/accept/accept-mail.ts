import type { ContactHashes } from '../base/contact-hash.ts';
import type { WatchBatches } from '../base/db/batch-metrics.ts';
import type { Transaction } from '../base/db/database.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { IdSequence } from '../base/ids.ts';
import { createConsentLookup } from '../consent/index.ts';
import { createSenderDirectory } from '../domains/index.ts';
import type { HandOver } from '../deliver/index.ts';
import { createPlanReset } from '../limits/index.ts';
import { createCategories, createKeptAnswerLookup, type NewMessage } from '../mails/index.ts';
import { createSuppressionLookup, createUnsubscribeLookup } from '../restrictions/index.ts';
import { createTemplateCache } from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { AcceptMetrics } from './accept-metrics.ts';
import { acceptBatch, type BatchCall } from './accept-batch.ts';
import { type Accepting, acceptDrafts, messageOf } from './accept-drafts.ts';
import { createAnswerOnce, type KeepAnswer, type KeyedCall } from './answer-once.ts';
import type { Draft } from './draft.ts';
import { traceAccept } from './accept-trace.ts';
import { createGroupCommit, writeIn } from './group-commit.ts';
import { RestrictionPrefetch } from './restriction-prefetch.ts';
import type { AcceptedCall } from './written-mail.ts';

/** Writes an accepted mail in the transaction of what it is about. */
type WriteMail = (tx: Transaction) => Promise<void>;

interface AcceptOptions {
  prefetch?: RestrictionPrefetch | undefined;
  /** The call, where its caller may repeat it: a repeated one gets the first answer. */
  keyed?: KeyedCall | undefined;
}

export interface Acceptance {
  /** Resolves after the commit. Rejects with a `Problem` when the mail is refused; nothing is stored then. */
  acceptMail(draft: Draft, options?: AcceptOptions): Promise<{ msg_id: string; is_replay: boolean }>;
  /** As `acceptMail`, for many: see `accept-batch.ts`. */
  acceptBatch<Answer extends object>(
    batch: BatchCall<Answer>,
  ): Promise<{ answer: Answer; is_replay: boolean }>;
  /**
   * As `acceptMail`, where a mail and what it is about are stored together or not at all: `store` opens a transaction and calls
   * `write` in it, once. The mail is made before, so that no transaction waits for it.
   */
  acceptMailWith<T>(draft: Draft, store: (write: WriteMail) => Promise<T>): Promise<T>;
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
  /** Absent where no forms are filled in. */
  keeps_forms_inside?: boolean;
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
    keeps_forms_inside: options.keeps_forms_inside ?? false,
    senders: createSenderDirectory(db, notifications),
    templates: createTemplateCache(db, notifications),
    categories: createCategories(db),
    resetPlan: createPlanReset(db),
    findConsent: createConsentLookup(db),
    findSuppressed: createSuppressionLookup(db, hashes),
    findUnsubscribed: createUnsubscribeLookup(db),
    ids: new IdSequence(),
    commits: createGroupCommit(db, hand_over, batches),
    answerOnce: createAnswerOnce(createKeptAnswerLookup(db)),
  };
  const note = ({ draft, message, duration_ms }: Committed): void => {
    metrics?.accepted(draft.source, message, duration_ms);
    if (tracer) traceAccept(tracer, { draft, message, now: clock.now(), duration_ms });
  };
  const refuse = (draft: Draft, error: unknown, began: number): never => {
    metrics?.refused(draft.source, error, performance.now() - began);
    throw error;
  };
  const acceptOne = async ({ draft, prefetch, keep, store }: One, began: number): Promise<NewMessage> => {
    // Every member by its name: copies of objects took 2 µs of a send.
    const [entry] = await acceptDrafts(context, {
      instance_id: draft.instance_id,
      drafts: [draft],
      prefetch,
      all_or_none: true,
      answer: keep && (([only]) => keep(answerFor(messageOf(only)), false)),
      store,
    });
    const message = messageOf(entry);
    note({ draft, message, duration_ms: performance.now() - began });
    return message;
  };
  return {
    async acceptMail(draft, { prefetch, keyed } = {}) {
      const began = performance.now();
      try {
        if (!keyed) {
          const { msg_id } = await acceptOne({ draft, prefetch }, began);
          return { msg_id, is_replay: false };
        }
        const { answer, is_replay } = await context.answerOnce(keyed, async (keep) =>
          answerFor(await acceptOne({ draft, prefetch, keep }, began)),
        );
        return { msg_id: answer.message_id, is_replay };
      } catch (error) {
        return refuse(draft, error, began);
      }
    },
    async acceptBatch(batch) {
      const began = performance.now();
      const elapsed = (): number => performance.now() - began;
      try {
        return await acceptBatch(context, batch, {
          accepted: (draft, message) => note({ draft, message, duration_ms: elapsed() }),
          refused: (draft, problem) => metrics?.refused(draft.source, problem, elapsed()),
        });
      } catch (error) {
        metrics?.refused('http', error, elapsed());
        throw error;
      }
    },
    async acceptMailWith(draft, store) {
      const began = performance.now();
      const stored = Promise.withResolvers<Awaited<ReturnType<typeof store>>>();
      const storeCall = async (call: AcceptedCall): Promise<'stored'> => {
        stored.resolve(await store(async (tx) => await writeIn(tx, call)));
        return 'stored';
      };
      try {
        await acceptOne({ draft, store: storeCall }, began);
      } catch (error) {
        refuse(draft, error, began);
      }
      return await stored.promise;
    },
    prefetchRestrictions: (instance_id) =>
      new RestrictionPrefetch({ find: context.findSuppressed, instance_id }),
    stop: async () => await context.commits.drain(),
    abort: () => context.commits.abort(),
  };
}

interface Committed {
  draft: Draft;
  message: NewMessage;
  duration_ms: number;
}

interface One extends Pick<Accepting, 'prefetch' | 'store'> {
  draft: Draft;
  keep?: KeepAnswer | undefined;
}

function answerFor({ msg_id }: NewMessage): { message_id: string } {
  return { message_id: msg_id };
}
