import type { Clock } from '../../base/clock.ts';
import type { WatchBatches } from '../../base/db/batch-metrics.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
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
  type Answer,
  type AnsweredMail,
  type AnswerSigns,
  findAnsweredMail,
  insertForwards,
  offerWithdrawal,
  type ParsedMail,
  recordOffered,
  type ParseOutcome,
  type RecordedMail,
  recordParsed,
} from '../../received/index.ts';
import type { MailTokens } from '../../mails/index.ts';
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
  /** Of addresses that tie an answer to its mail. */
  tokens: MailTokens;
  /** Without one the score is null. */
  spamScore: SpamScore | undefined;
}

interface Waiting extends ClaimedMail {
  /** Small mail is loaded with its claim. */
  raw: Buffer | undefined;
}

/** Says nothing about the message. */
class LookUpFailed extends Error {}

type ReadAnswer = ParsedMail & Pick<Answer, 'opt_out'>;
type Outcome = ParseOutcome & { opt_out?: Answer['opt_out'] };

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

  async function parse(mail: Waiting): Promise<Outcome | undefined> {
    const { id, lease, attempt, raw } = mail;
    if (attempt > maxAttempts) return { id, lease, error: 'the process ended while it parsed this' };
    if (raw) return await outcomeOf(mail, raw);
    return await large(mail.instance_id, async () => {
      const loaded = (await loadSources(db, [mail.source_id])).get(mail.source_id);
      // It was deleted meanwhile.
      return loaded && (await outcomeOf(mail, loaded));
    });
  }

  async function outcomeOf(mail: ClaimedMail, raw: Buffer): Promise<Outcome | undefined> {
    const { id, lease } = mail;
    try {
      const { opt_out, ...parsed } = await read(mail, raw);
      return { id, lease, parsed, opt_out };
    } catch (error) {
      // No process had time for it, or the database was away: its lease ends, and it is tried again.
      if (error instanceof Problem || error instanceof LookUpFailed) return undefined;
      if (!(error instanceof Unparseable))
        log.error({ err: error, received_mail_id: id }, 'could not parse a received mail');
      return { id, lease, error: (error as Error).message.slice(0, 500) };
    }
  }

  async function read(mail: ClaimedMail, raw: Buffer): Promise<ReadAnswer> {
    const task = { ...mail, raw };
    const [{ opt_out, ...parsed }, spam_score] = await Promise.all([
      parser.parse(mail.instance_id, task),
      options.spamScore?.(raw, mail) ?? null,
    ]);
    const answered = await answeredBy({ ...parsed, recipient: mail.recipient }, mail.instance_id);
    return { ...parsed, spam_score, in_reply_to_mail_id: answered?.mail_id ?? null, opt_out };
  }

  async function answeredBy(signs: AnswerSigns, instanceId: number): Promise<AnsweredMail | undefined> {
    try {
      return await findAnsweredMail(options, instanceId, signs);
    } catch (error) {
      throw new LookUpFailed('the mail that is answered could not be looked up', { cause: error });
    }
  }

  async function record(outcomes: Outcome[]): Promise<void[]> {
    const now = clock.now();
    const automatic = await db.transaction(async (tx) => {
      const recorded = await recordParsed(tx, outcomes, now);
      const told = recorded.filter(({ action, is_first }) => is_first && action === 'webhook');
      await announceReceived(tx, told, now);
      return await followUp(tx, recorded, outcomes);
    });
    for (const mail of automatic) await recordOne(mail, now);
    return outcomes.map(() => undefined);
  }

  /** What fails stays offered to a person. */
  async function recordOne({ instance_id, id }: RecordedMail, at: Date): Promise<void> {
    try {
      await recordOffered(db, instance_id, { received_mail_id: id, at });
    } catch (error) {
      log.warn({ err: error, received_mail_id: id }, 'could not record a withdrawal by reply');
    }
  }

  const worker = createWorker<Waiting, Outcome, void>({
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

/** Forwards and offered withdrawals; of these, what the instance wants recorded once this is committed. */
async function followUp(
  tx: Queryable,
  recorded: RecordedMail[],
  outcomes: Outcome[],
): Promise<RecordedMail[]> {
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const read = recorded.filter(({ id }) => 'parsed' in (byId.get(id) ?? {}));
  const forwarded = read.filter(({ action }) => action === 'forward');
  if (forwarded.length > 0)
    await insertForwards(
      tx,
      forwarded.map(({ id }) => id),
    );
  const automatic: RecordedMail[] = [];
  for (const mail of read) {
    const outcome = byId.get(mail.id);
    if (!outcome?.opt_out || !('parsed' in outcome)) continue;
    const { from_address, in_reply_to_mail_id: mail_id, authentication } = outcome.parsed;
    if (mail_id === null || from_address === null) continue;
    const is_authentic = authentication.dmarc.result === 'pass';
    const { opt_out } = outcome;
    const offer = { received_mail_id: mail.id, mail_id, from_address, opt_out, is_authentic };
    const offered = await offerWithdrawal(tx, mail.instance_id, offer);
    if (offered?.is_automatic) automatic.push(mail);
  }
  return automatic;
}
