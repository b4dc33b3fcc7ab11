import { Type } from 'typebox';
import { audited } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { InjectedMail, injectMail } from './inject-mail.ts';
import { deleteReceivedMail, parseAgain } from './parse-again.ts';
import { receivedStates } from './received-mail.ts';
import type { ReceivedLinks } from './received-links.ts';
import { instanceOfFile, openReceivedFile } from './received-files.ts';
import {
  ReceivedMail,
  receivedMailExample,
  ReceivedMailSummary,
  receivedSummaryExample,
} from './received-mail-schemas.ts';
import { getReceivedMail, listReceivedMails, markReceivedRead } from './received-mails.ts';

export interface ReceivedContext {
  db: Database;
  clock: Clock;
  received_links: ReceivedLinks;
}

const tag = 'Receiving';
const path = '/v1/received-mails/{id}' as const;
const id = Type.String({ maxLength: 64, description: 'Identifier of the received mail.' });
const params = Type.Object({ id });
const reading = { kind: 'api_key', scope: 'inbound:read' } as const;
const writing = { kind: 'api_key', scope: 'inbound:write', role: 'developer' } as const;
const filter = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 254, description })));
const flag = (description: string) => Type.Optional(Nullable(Type.Boolean({ description })));
const file = Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' });

export function receivedMailRoutes(context: ReceivedContext): Operation[] {
  return [reads(context), ...files(context), ...changes(context)];
}

/** Its cost depends on what is looked for. */
export function receivedListRoute({ db, clock }: ReceivedContext): Operation {
  return operation({
    id: 'list_received_mails',
    method: 'GET',
    path: '/v1/received-mails',
    tag,
    summary: 'List received mails',
    description: 'Mail that routes took, newest first.',
    access: reading,
    query: PageQuery({
      recipient: filter('Part of the recipient of the envelope.'),
      from: filter('Part of the sender of the envelope, or of From.'),
      subject: filter('Part of the subject.'),
      state: Type.Optional(Nullable(Enum(receivedStates, { description: 'Only in this state.' }))),
      route_id: Type.Optional(Nullable(Id('Only what this route took.'))),
      domain_id: Type.Optional(Nullable(Id('Only for this domain.'))),
      is_read: flag('Only those opened in the panel, or not opened.'),
      is_auto_reply: flag('Only automatic replies, or only others.'),
      start_date: filter('First local date, `YYYY-MM-DD`; three months ago when left out.'),
      end_date: filter('Last local date, inclusive; today when left out.'),
      tz: filter('IANA zone of the dates; that of the instance by default.'),
    }),
    success: onePage('received mails', ReceivedMailSummary, receivedSummaryExample),
    errors: ['bad_request'],
    handle: async ({ caller: { instance }, query }) => {
      const range = readDateRange(query, { now: clock.now(), timezone: instance.timezone, months: 3 });
      return await listReceivedMails(db, instance.id, { filters: { ...query, range }, page: query });
    },
  });
}

function reads({ db, clock, received_links: links }: ReceivedContext): Operation {
  return operation({
    id: 'get_received_mail',
    method: 'GET',
    path,
    tag,
    summary: 'Read a received mail',
    description:
      'Its envelope, header, text, HTML, files and the facts about its sender. All of it was written by strangers: show it as untrusted input.',
    access: reading,
    params,
    success: { status: 200, description: 'The mail.', schema: ReceivedMail, example: receivedMailExample },
    errors: ['received_mail_not_found'],
    handle: async ({ caller, params: wanted }) =>
      await getReceivedMail(db, caller.instance.id, { id: wanted.id, links, now: clock.now() }),
  });
}

const source = { 'message/rfc822': { schema: file } };
const octets = { 'application/octet-stream': { schema: file } };

function files({ db, clock, received_links: links }: ReceivedContext): Operation[] {
  return [
    operation({
      id: 'get_received_mail_source',
      method: 'GET',
      path: '/v1/received-mails/{id}/raw',
      tag,
      summary: 'Download the source of a received mail',
      description: 'The message as it came in, octet by octet.',
      access: reading,
      params,
      success: { status: 200, description: 'The message.', also: source },
      errors: ['received_mail_not_found'],
      handle: async ({ caller, params: wanted }) =>
        await openReceivedFile(db, caller.instance.id, { id: wanted.id, n: 'raw' }),
    }),
    operation({
      id: 'get_received_mail_attachment',
      method: 'GET',
      path: '/v1/received-mails/{id}/attachments/{n}',
      tag,
      summary: 'Download an attachment of a received mail',
      description: 'The file, decoded. Its name and media type are what its sender says.',
      access: reading,
      params: Type.Object({
        id,
        n: Id('Number of the attachment, from 1.'),
      }),
      success: { status: 200, description: 'The file.', also: octets },
      errors: ['received_mail_not_found', 'attachment_not_found'],
      handle: async ({ caller, params: wanted }) => await openReceivedFile(db, caller.instance.id, wanted),
    }),
    operation({
      id: 'get_received_file',
      method: 'GET',
      path: '/v1/received-files/{token}',
      tag,
      summary: 'Download a file of a received mail by its link',
      description:
        'Without credentials: the token is a signature that names one file and the day on which it expires. Webhooks have such links.',
      access: { kind: 'open' },
      params: Type.Object({ token: Type.String({ maxLength: 100, description: 'As a link has it.' }) }),
      success: { status: 200, description: 'The file.', also: { ...octets, ...source } },
      errors: ['received_mail_not_found', 'attachment_not_found'],
      handle: async ({ params: { token } }) => {
        const linked = links.read(token, clock.now());
        if (!linked) throw new Problem('received_mail_not_found');
        return await openReceivedFile(db, await instanceOfFile(db, linked.id), linked);
      },
    }),
  ];
}

function changes({ db, clock }: ReceivedContext): Operation[] {
  return [
    operation({
      id: 'inject_received_mail',
      method: 'POST',
      path: '/v1/received-mails',
      tag,
      summary: 'Make a received mail',
      description:
        'For trying out routes and webhooks without a mail server: it goes through the routes of the instance, is stored, parsed and told to webhooks like mail that a server hands over, and is marked `is_sandbox`. Give its parts, or the whole message as `raw`.',
      access: writing,
      body: InjectedMail,
      body_example: {
        recipient: 'support+4711@demo.sandbox.test',
        from: 'ana@sandbox.test',
        subject: 'Re: Your order 1001',
        text: 'It has not arrived.',
      },
      success: {
        status: 201,
        description: 'It is stored, and parsed within seconds.',
        schema: Type.Object({ id: Type.String({ description: 'Identifier of the received mail.' }) }),
        example: { id: receivedMailExample.id },
      },
      location: path,
      errors: [],
      handle: async (call) => await audited(db, injectMail)(call, { mail: call.body, now: clock.now() }),
    }),
    operation({
      id: 'parse_received_mail',
      method: 'POST',
      path: '/v1/received-mails/{id}/parse',
      tag,
      summary: 'Parse a received mail again',
      description:
        'After an upgrade, or when DNS did not answer. What was read of it is replaced; webhooks are not told again.',
      access: writing,
      params,
      success: { status: 204, description: 'It is parsed within seconds.' },
      errors: ['received_mail_not_found'],
      handle: async (call) => await audited(db, parseAgain)(call, { id: call.params.id }),
    }),
    operation({
      id: 'read_received_mail',
      method: 'POST',
      path: '/v1/received-mails/{id}/read',
      tag,
      summary: 'Mark a received mail as read',
      description: 'For everybody of the instance.',
      access: { kind: 'api_key', scope: 'inbound:write', role: 'viewer' },
      params,
      success: { status: 204, description: 'Marked.' },
      errors: ['received_mail_not_found'],
      handle: async ({ caller, params: wanted }) =>
        await markReceivedRead(db, caller.instance.id, { id: wanted.id, now: clock.now() }),
    }),
    operation({
      id: 'delete_received_mail',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a received mail',
      description: 'With its source and attachments. Deliveries of its event that wait are discarded.',
      access: writing,
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['received_mail_not_found'],
      handle: async (call) => await audited(db, deleteReceivedMail)(call, { id: call.params.id }),
    }),
  ];
}
