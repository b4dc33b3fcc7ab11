import type { Clock } from '../../base/clock.ts';
import type { WatchBatches } from '../../base/db/batch-metrics.ts';
import type { Database } from '../../base/db/database.ts';
import type { Notifications } from '../../base/db/notifications.ts';
import type { Node } from '../../base/engine/node.ts';
import { createWorker, type Worker } from '../../base/engine/worker.ts';
import { createFairLimiter } from '../../base/fair-limiter.ts';
import { Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import {
  type ClaimedMail,
  createParseClaim,
  loadSources,
  type ParsedMail,
  type ParseOutcome,
  recordParsed,
} from '../../received/index.ts';
import { announceReceived } from '../../webhooks/index.ts';
import { type MailParser, smallBytes, Unparseable } from './mail-parser.ts';
import type { SpamScore } from './spam-score.ts';

interface ParseLoopOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  node: Node;
  batches: WatchBatches;
  parser: MailParser;
  /** Without one the score is null. */
  spamScore: SpamScore | undefined;
}

interface Waiting extends ClaimedMail {
  /** Small mail is loaded with its claim. */
  raw: Buffer | undefined;
}

const concurrency = 64;
/** Of one instance in one claim: the others have the rest. */
const perInstance = 32;
const leaseSeconds = 120;
const idleWaitMs = 1_000;
/** A mail that was being parsed when its node died this often is not tried again. */
const maxAttempts = 5;
/** They are in memory whole. */
const largeAtOnce = 2;

/** Claims received mail, parses it, and tells webhooks what came in, in the commit that records what was read. */
export function createParseLoop(options: ParseLoopOptions): Worker<Waiting> {
  const { db, notifications, clock, log, node, parser } = options;
  const claimDue = createParseClaim(db);
  const large = createFairLimiter({ concurrency: largeAtOnce, per_owner: 1, max_waiting: concurrency });
  let free = concurrency;

  async function claim(): Promise<{ items: Waiting[]; wait_ms: number }> {
    if (free === 0) return { items: [], wait_ms: idleWaitMs };
    return await node.claim(async (lease) => {
      const { mails, is_complete } = await claimDue({
        lease,
        count: free,
        per_instance: Math.min(free, perInstance),
        lease_seconds: leaseSeconds,
        now: clock.now(),
      });
      const small = mails.filter(({ size_bytes }) => size_bytes <= smallBytes);
      const raws =
        small.length === 0
          ? undefined
          : await loadSources(
              db,
              small.map(({ source_id }) => source_id),
            );
      free -= mails.length;
      const items = mails.map((mail) => ({ ...mail, raw: raws?.get(mail.source_id) }));
      return { items, wait_ms: is_complete ? idleWaitMs : 0 };
    });
  }

  async function parse(mail: Waiting): Promise<ParseOutcome | undefined> {
    const { id, lease, attempt, raw } = mail;
    if (attempt > maxAttempts) return { id, lease, error: 'the process ended while it parsed this' };
    if (raw) return await outcomeOf(mail, raw);
    return await large(mail.instance_id, async () => {
      const loaded = (await loadSources(db, [mail.source_id])).get(mail.source_id);
      // It was deleted meanwhile.
      return loaded && (await outcomeOf(mail, loaded));
    });
  }

  async function outcomeOf(mail: ClaimedMail, raw: Buffer): Promise<ParseOutcome | undefined> {
    const { id, lease } = mail;
    try {
      return { id, lease, parsed: await read(mail, raw) };
    } catch (error) {
      // No process had time for it: its lease ends, and it is tried again.
      if (error instanceof Problem) return undefined;
      if (!(error instanceof Unparseable))
        log.error({ err: error, received_mail_id: id }, 'could not parse a received mail');
      return { id, lease, error: (error as Error).message.slice(0, 500) };
    }
  }

  async function read(mail: ClaimedMail, raw: Buffer): Promise<ParsedMail> {
    const task = { ...mail, raw };
    const [parsed, spam_score] = await Promise.all([
      parser.parse(mail.instance_id, task),
      options.spamScore?.(raw, mail) ?? null,
    ]);
    return {
      ...parsed,
      spam_score,
      text_reply: null,
      text_reply_confidence: null,
      in_reply_to_mail_id: null,
    };
  }

  async function record(outcomes: ParseOutcome[]): Promise<void[]> {
    const now = clock.now();
    await db.transaction(async (tx) => {
      const recorded = await recordParsed(tx, outcomes, now);
      const told = recorded.filter(({ action, is_first }) => is_first && action === 'webhook');
      await announceReceived(tx, told, now);
    });
    return outcomes.map(() => undefined);
  }

  const worker = createWorker<Waiting, ParseOutcome, void>({
    name: 'received mail',
    log,
    claim,
    attempt: parse,
    record,
    max_recorded: 50,
    watch: options.batches('parsed mail'),
    onFinished: () => {
      free += 1;
      worker.wake();
    },
    lease_ms: leaseSeconds * 1_000,
  });
  return {
    ...worker,
    start() {
      notifications.on('chasqui_received', worker.wake);
      notifications.onGap(worker.wake);
      worker.start();
    },
  };
}
