import {
  cancelMessage,
  recipientNotBlocked,
  requireMessageId,
  rescheduleMessage,
} from '../../activity/index.ts';
import { actorOf } from '../../audit/index.ts';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import { Conditions } from '../../base/db/conditions.ts';
import { millisecondsOf } from '../../activity/index.ts';
import type { CompatContext } from '../compat-context.ts';
import { findContent, findMessages, type FoundMessage, mailboxText, recipientsOf } from '../find-messages.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { pageOf, readCursor } from './cursor.ts';
import { lastEvent } from './last-event.ts';
import { pointerOf } from './errors.ts';
import { readScheduledAt } from './scheduled-at.ts';

/** Reading, rescheduling and cancelling what was sent. */
export function emailRoutes(context: CompatContext): VendorRoute[] {
  return [listRoute(context), getRoute(context), rescheduleRoute(context), cancelRoute(context)];
}

function getRoute({ db, clock }: CompatContext): VendorRoute {
  return {
    method: 'GET',
    path: '/emails/:id',
    scope: 'mail:read',
    handle: async (call) => {
      const id = emailIdOf(call, clock.now());
      const [message] = await findMessages(db, call.caller.instance.id, [id]);
      if (!message) throw new Problem('message_not_found');
      const { html, text } = await findContent(db, call.caller.instance.id, id);
      const tags = Object.entries(message.tags).map(([name, value]) => ({ name, value }));
      return { object: 'email', ...emailOf(message, clock.now()), html, text, tags };
    },
  };
}

/** Without what is only in the detail. */
function emailOf(message: FoundMessage, now: Date) {
  const { msg_id, envelope, received_at, subject, schedule_at, mails, sender_email } = message;
  return {
    id: msg_id,
    message_id: `<${msg_id}@${sender_email.split('@').at(-1)}>`,
    to: recipientsOf(message, 'to'),
    from: mailboxText(envelope.from),
    created_at: received_at.toISOString(),
    subject,
    cc: recipientsOf(message, 'cc'),
    bcc: recipientsOf(message, 'bcc'),
    reply_to: [envelope.reply_to ?? []].flat().map(mailboxText),
    last_event: lastEvent(mails, schedule_at !== null && schedule_at > now),
    scheduled_at: schedule_at?.toISOString() ?? null,
  };
}

/** Newest first. */
function listRoute({ db, clock }: CompatContext): VendorRoute {
  return {
    method: 'GET',
    path: '/emails',
    scope: 'mail:read',
    handle: async ({ caller: { instance }, query }) => {
      const now = clock.now();
      const read = (id: string): string => requireMessageId(id, now, instance.retention_months);
      const { limit, after, before } = readCursor(query, read);
      const conditions = new Conditions()
        .where('m.instance_id = ?', instance.id)
        .where('m.mail_id >= uuid_at(?::timestamptz)', keptSince(now, instance.retention_months, before))
        .where('m.mail_id < uuid_at(?::timestamptz)', after && new Date(millisecondsOf(after) + 1))
        .where('m.msg_id < ?::uuid', after)
        .where('m.msg_id > ?::uuid', before)
        .where(recipientNotBlocked, instance.id);
      const rows = await db.query<{ msg_id: string }>(
        `select m.msg_id from mails m where ${conditions.sql()} group by m.msg_id
         order by m.msg_id ${before === undefined ? 'desc' : 'asc'} limit ${conditions.value(limit + 1)}`,
        conditions.values,
      );
      const { data, has_more } = pageOf(rows, { limit, before });
      const messages = await findMessages(
        db,
        instance.id,
        data.map(({ msg_id }) => msg_id),
      );
      return { object: 'list', has_more, data: messages.map((message) => emailOf(message, now)) };
    },
  };
}

function keptSince(now: Date, retention_months: number, before: string | undefined): Date {
  if (before !== undefined) return new Date(millisecondsOf(before));
  const kept = new Date(now);
  kept.setUTCMonth(kept.getUTCMonth() - retention_months);
  return kept;
}

function rescheduleRoute({ db, clock }: CompatContext): VendorRoute {
  return {
    method: 'PATCH',
    path: '/emails/:id',
    scope: 'mail:send',
    max_body_bytes: 64 * 1024,
    handle: async (call) => {
      const now = clock.now();
      const id = emailIdOf(call, now);
      const schedule_at = readNewSchedule(call, now);
      const { instance } = call.caller;
      const wanted = { ...changeOf(call, id, now), schedule_at, retention_months: instance.retention_months };
      try {
        await db.transaction(async (tx) => await rescheduleMessage(tx, instance.id, wanted));
      } catch (error) {
        const errors = error instanceof Problem ? error.facts.errors : undefined;
        if (!errors) throw error;
        throw validationProblem(errors.map((each) => ({ ...each, pointer: pointerOf(each.pointer) })));
      }
      return { object: 'email', id };
    },
  };
}

/** Clients for Go, Python and Ruby say which email in the body too. */
const idMembers: ReadonlySet<string> = new Set(['id', 'email_id']);

function readNewSchedule({ body, params }: VendorCall, now: Date): string {
  const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const violations: Violation[] = Object.keys(members)
    .filter((name) => name !== 'scheduled_at')
    .filter((name) => !(idMembers.has(name) && members[name] === params['id']))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'extra_forbidden',
      message: `Only \`scheduled_at\` of an email can be changed, not \`${name}\`.`,
    }));
  const { scheduled_at } = members;
  const read = typeof scheduled_at === 'string' ? readScheduledAt(scheduled_at, now, violations) : undefined;
  if (read === undefined && violations.length === 0) {
    violations.push({ pointer: '/scheduled_at', code: 'missing', message: 'Missing `scheduled_at` field.' });
  }
  if (read === undefined || violations.length > 0) throw validationProblem(violations);
  return read;
}

function cancelRoute({ db, clock }: CompatContext): VendorRoute {
  return {
    method: 'POST',
    path: '/emails/:id/cancel',
    scope: 'mail:send',
    handle: async (call) => {
      const now = clock.now();
      const id = emailIdOf(call, now);
      const change = changeOf(call, id, now);
      await db.transaction(async (tx) => await cancelMessage(tx, call.caller.instance.id, change));
      return { object: 'email', id };
    },
  };
}

function changeOf(call: VendorCall, message_id: string, now: Date) {
  const { actor } = call.caller;
  return {
    message_id,
    actor: actorOf(call),
    sandbox_only: actor.kind === 'api_key' && actor.sandbox_only,
    now,
  };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function emailIdOf({ params, caller }: VendorCall, now: Date): string {
  const id = params['id'] ?? '';
  if (!uuid.test(id)) {
    throw validationProblem([
      { pointer: '/id', code: 'value_error.uuid', message: 'The `id` must be a valid UUID.' },
    ]);
  }
  return requireMessageId(id, now, caller.instance.retention_months);
}
