import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { TemplateContent, TemplateRenderer } from '../templates/index.ts';
import { audienceOf } from './broadcasts.ts';
import type { ClaimedBroadcast } from './claim-broadcasts.ts';
import { dropCancelled } from './drop-cancelled.ts';
import { type HandOverContext, handOver, nextRecipients } from './hand-over.ts';
import { LeaseLost } from './lease-lost.ts';
import { prepareRecipients, type UsedFields, usedFields } from './make-drafts.ts';
import { takeSnapshot } from './take-snapshot.ts';
import { validateBroadcast } from './validate-broadcast.ts';
import { waitsLong } from './waiting-mails.ts';

export interface TurnContext extends HandOverContext {
  clock: Clock;
  renderer: Pick<TemplateRenderer, 'variables'>;
  limits: TurnLimits;
}

/** A broadcast is a guest: it takes turns with others, and leaves what waits for delivery short. */
export interface TurnLimits {
  /** Of one turn; a step that has begun is finished. */
  slice_ms: number;
  /** Recipients of one commit. */
  batch: number;
  /** Broadcast mails of the instance that wait for delivery; above, nothing is handed over. */
  max_waiting: number;
}

export const turnLimits: TurnLimits = { slice_ms: 2_000, batch: 500, max_waiting: 10_000 };

/** When the next turn is due; undefined where the steps have said so. */
export type TurnEnd = { due_at?: Date; error?: string };

const waitMs = 1_000;
const busyMs = 5_000;
const hourMs = 3_600_000;
/** With a pace: batches of about half a minute. */
const batchesAnHour = 120;

/** Works on a broadcast for a while. What stops all of its mails pauses it, with the reason. */
export async function takeTurn(context: TurnContext, broadcast: ClaimedBroadcast): Promise<TurnEnd> {
  try {
    return await work(context, broadcast);
  } catch (error) {
    if (error instanceof LeaseLost) return {};
    const now = context.clock.now().getTime();
    if (!(error instanceof Problem)) {
      return {
        due_at: new Date(now + busyMs),
        error: error instanceof Error ? error.message : String(error),
      };
    }
    const { code, message, facts } = error;
    if (waits.has(code)) {
      return { due_at: new Date(now + (facts.retry_after_seconds ?? 5) * 1_000), error: message };
    }
    await pause(context, broadcast, facts.errors?.[0]?.code ?? code);
    return { error: message };
  }
}

const waits: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'search_timeout', 'service_unavailable']);

async function pause(
  { db, clock }: TurnContext,
  { id, lease }: ClaimedBroadcast,
  code: string,
): Promise<void> {
  await db.query(
    `update broadcasts set state = 'paused', paused_by = $3, started_at = coalesce(started_at, $4), due_at = null, updated_at = $4
     where id = $1 and lease = $2 and state in ('scheduled', 'sending')`,
    [id, lease, code, clock.now()],
  );
}

async function work(context: TurnContext, broadcast: ClaimedBroadcast): Promise<TurnEnd> {
  const { db, clock } = context;
  if (broadcast.state === 'cancelled') return await drop(context, broadcast);
  await requireUsable(context, broadcast);
  if (broadcast.recipient_count === null) {
    await takeSnapshot(db, broadcast, clock.now());
    return {};
  }
  return await sendOn(context, broadcast);
}

async function drop({ db, clock, limits }: TurnContext, broadcast: ClaimedBroadcast): Promise<TurnEnd> {
  const until = performance.now() + limits.slice_ms;
  const at = { ...broadcast };
  for (;;) {
    const { cancelled_to, is_left } = await dropCancelled(db, at, clock.now());
    if (!is_left || performance.now() > until) return {};
    at.cancelled_to = cancelled_to;
  }
}

/** What was right when it was written may have changed: then it is paused, and not sent to some. */
async function requireUsable({ db, clock }: TurnContext, broadcast: ClaimedBroadcast): Promise<void> {
  const wanted = { ...broadcast, schedule_at: null, audience: audienceOf(broadcast) };
  const violations = await validateBroadcast(db, broadcast.instance_id, { wanted, now: clock.now() });
  const first = violations.find(
    ({ pointer }) => broadcast.recipient_count === null || !pointer.startsWith('/audience'),
  );
  if (first) throw new Problem('validation_error', { detail: first.message, errors: violations });
}

async function sendOn(context: TurnContext, broadcast: ClaimedBroadcast): Promise<TurnEnd> {
  const { db, clock, limits } = context;
  const fields = await fieldsOf(context, broadcast);
  const until = performance.now() + limits.slice_ms;
  const at = { ...broadcast };
  do {
    if (await waitsLong(db, at.instance_id, limits.max_waiting)) {
      return { due_at: new Date(clock.now().getTime() + waitMs) };
    }
    Object.assign(at, await sendBatch(context, at, fields));
  } while (at.state === 'sending' && at.per_hour === null && performance.now() < until);
  return {};
}

async function sendBatch(
  context: TurnContext,
  broadcast: ClaimedBroadcast,
  fields: UsedFields,
): ReturnType<typeof handOver> {
  const { db, clock, limits } = context;
  const { per_hour } = broadcast;
  const most = per_hour === null ? limits.batch : Math.ceil(per_hour / batchesAnHour);
  for (let count = Math.min(limits.batch, most); ; count = Math.ceil(count / 4)) {
    const recipients = await nextRecipients(db, broadcast, count);
    if (recipients.length === 0) throw new Error('the recipients are not there any more');
    const prepared = await prepareRecipients(db, broadcast.instance_id, { recipients, fields });
    const now = clock.now();
    const pace_ms = per_hour === null ? 0 : (recipients.length / per_hour) * hourMs;
    const next_at = new Date(now.getTime() + pace_ms);
    try {
      return await handOver(context, { broadcast, prepared, now, next_at });
    } catch (error) {
      // Of a large template fewer fit into the bandwidth at once.
      if (!(error instanceof Problem && error.code === 'request_too_large') || count === 1) throw error;
    }
  }
}

async function fieldsOf(
  { db, renderer }: TurnContext,
  { instance_id, template_id }: ClaimedBroadcast,
): Promise<UsedFields> {
  const content = await findContent(db, instance_id, template_id);
  if (!content) throw new Problem('mail_template_not_found');
  return await usedFields(renderer, instance_id, content);
}

export async function findContent(
  db: Queryable,
  instanceId: number,
  templateId: number,
): Promise<TemplateContent | undefined> {
  const [row] = await db.query<TemplateContent & Record<string, unknown>>(
    'select subject, html, text from mail_templates where instance_id = $1 and id = $2 and deleted_at is null',
    [instanceId, templateId],
  );
  return row;
}
