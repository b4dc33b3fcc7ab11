import { addMailFilters, recipientNotBlocked, withinTime } from '../../activity/index.ts';
import { audited } from '../../audit/index.ts';
import { addressKey } from '../../base/db/address-key.ts';
import { Conditions } from '../../base/db/conditions.ts';
import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { retentionStart } from '../../mails/index.ts';
import { changeRestrictions } from '../../restrictions/index.ts';
import {
  bounceIdOf,
  type BounceType,
  bounceTypeOf,
  bounceTypes,
  eventRangeOf,
  tagName,
} from '../../webhooks/index.ts';
import type { CompatContext } from '../compat-context.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { readFilters, readMoment, readPage, refused } from './paging.ts';
import { streamName, streams } from './streams.ts';

interface BounceRow {
  event_id: string;
  event: string;
  type: string | null;
  reason: string | null;
  response: string | null;
  at: Date;
  msg_id: string;
  recipient: string;
  sender_email: string;
  subject: string;
  tags: Record<string, string> | null;
  stream: 'transactional' | 'broadcast';
  is_restricted: boolean;
}

const is_restricted = `exists (select from restrictions r where r.instance_id = m.instance_id
  and r.recipient_key = ${addressKey('m.recipient')})`;

const columns = `e.event_id, e.event, e.data ->> 'type' as type, e.reason, coalesce(e.data ->> 'response', e.data ->> 'detail', e.reason) as response,
  e.at, m.msg_id, m.recipient, m.sender_email, m.subject, m.tags,
  coalesce((select g.stream from messages g where g.msg_id = m.msg_id), 'transactional') as stream, ${is_restricted} as is_restricted`;

const joined = 'from events e join mails m on m.mail_id = e.mail_id';

export function bounceRoutes(context: CompatContext): VendorRoute[] {
  return [
    listRoute(context),
    statsRoute(context, '/deliverystats'),
    statsRoute(context, '/deliveryStats'),
    ...oneRoutes(context),
  ];
}

const filters = [
  'type',
  'inactive',
  'emailfilter',
  'tag',
  'messageid',
  'fromdate',
  'todate',
  'messagestream',
] as const;
const maxCounted = 10_000;

/** Newest first. Spam complaints are bounces there; they are read when they are asked for. */
function listRoute({ db, clock }: CompatContext): VendorRoute {
  return {
    method: 'GET',
    path: '/bounces',
    scope: 'mail:read',
    handle: async ({ caller: { instance }, query }) => {
      const { count, offset } = readPage(query);
      const conditions = conditionsOf(query, { instance, now: clock.now() });
      const source = `${joined} where ${conditions.sql()}`;
      return await withinTime(db, async (tx) => {
        const [counted] = await tx.query<{ total: number }>(
          `select count(*) as total from (select 1 ${source} limit ${maxCounted}) as found`,
          conditions.values,
        );
        const rows = await tx.query<BounceRow & Record<string, unknown>>(
          `select ${columns} ${source} order by e.event_id desc limit ${count} offset ${offset}`,
          conditions.values,
        );
        return { TotalCount: counted?.total ?? 0, Bounces: rows.map((row) => bounceOf(row, instance.id)) };
      });
    },
  };
}

function conditionsOf(
  query: URLSearchParams,
  { instance, now }: { instance: VendorCall['caller']['instance']; now: Date },
): Conditions {
  const given = readFilters(query, filters);
  const kept = retentionStart(now, instance.retention_months);
  const from = readMoment('fromdate', given.fromdate, false) ?? kept;
  const conditions = new Conditions()
    .where(
      `e.event = '${given.type === 'SpamComplaint' ? 'complained' : 'bounced'}' and e.instance_id = ?`,
      instance.id,
    )
    .where('m.instance_id = ?', instance.id)
    .where('e.event_id >= uuid_at(?::timestamptz)', from > kept ? from : kept)
    .where('e.event_id < uuid_at(?::timestamptz)', readMoment('todate', given.todate, true))
    .where(recipientNotBlocked, instance.id)
    .contains('m.recipient', given.emailfilter);
  if (given.type !== undefined) addType(conditions, given.type);
  if (given.inactive !== undefined)
    conditions.where(`${is_restricted} = ?::boolean`, given.inactive === 'true');
  const stream = given.messagestream === undefined ? undefined : streams.get(given.messagestream);
  if (given.messagestream !== undefined && !stream) {
    throw refused('messagestream', 'The message stream is outbound or broadcast.');
  }
  conditions.where('exists (select from messages g where g.msg_id = m.msg_id and g.stream = ?)', stream);
  const tag = given.tag === undefined ? [] : [`${tagName}:${given.tag}`];
  return addMailFilters(conditions, { query: { msg_id: given.messageid ?? null, tag }, instance });
}

/** As `bounceTypeOf` names them. */
const isDns = `(coalesce(e.reason, '') in ('address_literal', 'bad_domain', 'domain_not_found', 'no_mail_host', 'mx_without_address',
  'mx_not_public') or coalesce(e.reason, '') like 'dns\\_%')`;
const isTemplate = `(coalesce(e.reason, '') = 'template_failed')`;
const plain = `not ${isDns} and not ${isTemplate}`;
const sqlOf: Record<BounceType, string> = {
  SpamComplaint: 'true',
  TemplateRenderingFailed: isTemplate,
  DnsError: isDns,
  HardBounce: `${plain} and e.data ->> 'type' = 'hard'`,
  Blocked: `${plain} and e.data ->> 'type' = 'block'`,
  SoftBounce: `${plain} and coalesce(e.data ->> 'type', 'soft') = 'soft'`,
};

function addType(conditions: Conditions, type: string): void {
  if (!Object.hasOwn(bounceTypes, type)) {
    throw refused('type', `type is one of ${Object.keys(bounceTypes).join(', ')}.`);
  }
  conditions.always(sqlOf[type as BounceType]);
}

function bounceOf(row: BounceRow, instanceId: number) {
  const Type = bounceTypeOf(row);
  const [TypeCode, Name, Description] = bounceTypes[Type];
  return {
    RecordType: 'Bounce',
    ID: bounceIdOf(row.event_id),
    Type,
    TypeCode,
    Name,
    Tag: row.tags?.[tagName] ?? '',
    MessageID: row.msg_id,
    ServerID: instanceId,
    MessageStream: streamName(row.stream),
    Description,
    Details: row.response ?? '',
    Email: row.recipient,
    From: row.sender_email,
    BouncedAt: row.at.toISOString(),
    DumpAvailable: false,
    Inactive: row.is_restricted,
    CanActivate: row.is_restricted,
    Subject: row.subject,
  };
}

async function findBounce(db: Queryable, { caller, params }: VendorCall): Promise<BounceRow> {
  const { id } = caller.instance;
  const range = eventRangeOf(params['id'] ?? '');
  const [row] = range
    ? await db.query<BounceRow & Record<string, unknown>>(
        `select ${columns} ${joined} where e.event_id between $2::uuid and $3::uuid and e.instance_id = $1
           and e.event in ('bounced', 'complained') and ${recipientNotBlocked.replaceAll('?', '$1')} limit 1`,
        [id, ...range],
      )
    : [];
  if (!row) throw new Problem('mail_not_found', { detail: 'The bounce was not found.' });
  return row;
}

function oneRoutes({ db }: CompatContext): VendorRoute[] {
  return [
    {
      method: 'GET',
      path: '/bounces/:id',
      scope: 'mail:read',
      handle: async (call) => bounceOf(await findBounce(db, call), call.caller.instance.id),
    },
    {
      method: 'GET',
      path: '/bounces/:id/dump',
      scope: 'mail:read',
      handle: async (call) => {
        await findBounce(db, call);
        // Only what the server answered is kept: the Details.
        return { Body: '' };
      },
    },
    {
      method: 'PUT',
      path: '/bounces/:id/activate',
      scope: 'restrictions:write',
      handle: async (call) => {
        const { recipient } = await findBounce(db, call);
        await audited(db, changeRestrictions)(call, { changes: { remove: [recipient] } });
        return { Message: 'OK', Bounce: bounceOf(await findBounce(db, call), call.caller.instance.id) };
      },
    },
  ];
}

/** Of the newest bounces, at most 10,000 of them. */
function statsRoute({ db, clock }: CompatContext, path: string): VendorRoute {
  return {
    method: 'GET',
    path,
    scope: 'mail:read',
    handle: async ({ caller: { instance } }) => {
      const kept = retentionStart(clock.now(), instance.retention_months);
      const { rows, inactive } = await withinTime(db, async (tx) => ({
        rows: await tx.query<{ event: string; type: string | null; reason: string | null; count: number }>(
          `select event, type, reason, count(*) from (
             select event, data ->> 'type' as type, reason from events where event = 'bounced' and instance_id = $1
               and event_id >= uuid_at($2::timestamptz) order by event_id desc limit ${maxCounted}
           ) as newest group by 1, 2, 3`,
          [instance.id, kept],
        ),
        inactive: await tx.query<{ count: number }>(
          `select count(*) from (select from restrictions where instance_id = $1 limit ${maxCounted}) as restricted`,
          [instance.id],
        ),
      }));
      const counts = new Map<BounceType, number>();
      for (const row of rows) {
        const type = bounceTypeOf(row);
        counts.set(type, (counts.get(type) ?? 0) + row.count);
      }
      const all = rows.reduce((sum, { count }) => sum + count, 0);
      const byType = [...counts].map(([Type, Count]) => ({ Type, Name: bounceTypes[Type][1], Count }));
      return { InactiveMails: inactive[0]?.count ?? 0, Bounces: [{ Name: 'All', Count: all }, ...byType] };
    },
  };
}
