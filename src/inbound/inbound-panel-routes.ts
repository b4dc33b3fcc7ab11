import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { BlockedPersons } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { DateTime, Id, Nullable } from '../base/http/schemas.ts';
import { DmarcSummary, summarizeDmarc } from './reports/dmarc-summary.ts';
import { findDomainName } from '../domains/index.ts';
import { getInboundMessage, listInboundMessages } from './inbound-messages.ts';

interface InboundContext {
  db: Queryable;
  blocked: BlockedPersons;
  clock: Clock;
}

const tag = 'Domains';
const access = { kind: 'user', role: 'viewer' } as const;
const filter = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 100, description })));

const message = {
  id: Type.Integer(),
  recipient: Type.String({ description: 'Address at a domain of the instance, such as `postmaster@`.' }),
  mail_from: Nullable(Type.String({ description: 'Of the envelope; null is the empty one of a report.' })),
  header_from: Type.String(),
  subject: Type.String(),
  remote_ip: Type.String({ description: 'Who handed it over.' }),
  size_bytes: Type.Integer({ description: 'Octets of the whole message.' }),
  received_at: DateTime('When it came in.'),
};
const InboundMessage = Type.Object(message);
const InboundMessageDetail = Type.Object({
  ...message,
  raw: Type.String({ description: 'The message as it came, at most the first 64 KB of it.' }),
});

const messageExample = {
  id: 7,
  recipient: 'abuse@mail.example.com',
  mail_from: 'ana@example.org',
  header_from: 'Ana <ana@example.org>',
  subject: 'Please stop',
  remote_ip: '192.0.2.1',
  size_bytes: 1830,
  received_at: '2026-12-01T12:00:00.400Z',
};

const counts = {
  messages: 42,
  passed: 40,
  dkim_aligned: 40,
  spf_aligned: 38,
  delivered: 40,
  quarantined: 2,
  rejected: 0,
};

/** DMARC reports about the domains of an instance, and mail to its postmaster. */
export function inboundPanelRoutes({ db, clock, blocked }: InboundContext): Operation[] {
  return [
    operation({
      id: 'panel_get_dmarc_summary',
      method: 'GET',
      path: '/v1/private/domains/{id}/dmarc-summary',
      tag,
      summary: 'Sum up the DMARC reports on a domain',
      description:
        'Who sent in the name of the domain, and whether it was aligned, as receivers of the world reported it. The content of reports is not verified.',
      access,
      params: Type.Object({ id: Id('Identifier of the domain.') }),
      query: Type.Object({
        start_date: filter('First local date, `YYYY-MM-DD`; one month ago when left out.'),
        end_date: filter('Last local date, inclusive; today when left out.'),
        tz: filter('IANA zone of the dates; that of the instance by default.'),
      }),
      success: {
        status: 200,
        description: 'Sums over the reports whose time began in the period.',
        schema: DmarcSummary,
        example: {
          domain: 'mail.example.com',
          from: '2026-11-01T03:00:00.000Z',
          until: '2026-12-01T03:00:00.000Z',
          reports: 2,
          totals: counts,
          sources: [{ source_ip: '192.0.2.25', ...counts, reporters: 2 }],
          reporters: [{ org_name: 'google.com', reports: 2, messages: 42 }],
        },
      },
      errors: ['domain_not_found', 'bad_request'],
      handle: async ({ caller: { instance }, params: { id }, query }) => {
        const range = readDateRange(query, { now: clock.now(), timezone: instance.timezone, months: 1 });
        const domain = await findDomainName(db, instance.id, id);
        return await summarizeDmarc(db, instance.id, { id, domain, range });
      },
    }),
    operation({
      id: 'panel_list_inbound_messages',
      method: 'GET',
      path: '/v1/private/inbound-messages',
      tag,
      summary: 'List mail that came in for people',
      description:
        'Mail to `postmaster@`, `abuse@` and `fbl@` of the domains of the instance, without reports, newest first; the newest 500 are kept.',
      access,
      query: PageQuery({}),
      success: onePage('messages', InboundMessage, messageExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await listInboundMessages({ db, blocked }, caller.instance.id, query),
    }),
    operation({
      id: 'panel_get_inbound_message',
      method: 'GET',
      path: '/v1/private/inbound-messages/{id}',
      tag,
      summary: 'Read mail that came in for people',
      description: 'With its source, which is untrusted input.',
      access,
      params: Type.Object({ id: Id('Identifier of the message.') }),
      success: {
        status: 200,
        description: 'The message.',
        schema: InboundMessageDetail,
        example: { ...messageExample, raw: 'Subject: Please stop\r\n\r\n…' },
      },
      errors: ['inbound_message_not_found'],
      handle: async ({ caller, params: { id } }) =>
        await getInboundMessage({ db, blocked }, caller.instance.id, id),
    }),
  ];
}
