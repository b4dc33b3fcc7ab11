import { Type } from 'typebox';
import type { Queryable } from '../base/db/database.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import { Sender, SenderEmail, SenderName, senderExample } from './sender-schemas.ts';
import { getSender, listSenders, searchSenders } from './senders.ts';

const tag = 'Senders';
export const senderParams = Type.Object({ id: Id('Identifier of the sender.') });
const access = { kind: 'api_key', scope: 'senders:read' } as const;
const partial = (what: string) =>
  Type.Optional(
    Nullable(Type.String({ maxLength: 255, description: `Part of the ${what}, in either case.` })),
  );

export function senderRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'list_senders',
      method: 'GET',
      path: '/v1/senders',
      tag,
      summary: 'List senders',
      description: 'The addresses that the instance may send from, in the order of creation.',
      access,
      query: PageQuery({
        name: partial('name'),
        email: partial('address'),
        domain_id: Type.Optional(Nullable(Id('Only senders of this domain.'))),
        ...externalIdFilter,
      }),
      success: onePage('senders', Sender, senderExample),
      errors: [],
      handle: async ({ caller, query }) => await listSenders(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_sender',
      method: 'GET',
      path: '/v1/senders/{id}',
      tag,
      summary: 'Read a sender',
      description: 'One sender of the instance.',
      access,
      params: senderParams,
      success: { status: 200, description: 'The sender.', schema: Sender, example: senderExample },
      errors: ['sender_not_found'],
      handle: async ({ caller, params }) => await getSender(db, caller.instance.id, params.id),
    }),
    operation({
      id: 'search_sender_names',
      method: 'GET',
      path: '/v1/senders/search/names',
      tag,
      summary: 'Find senders by name',
      description: 'Names that contain `q`, in alphabetical order; all of them without it.',
      access,
      query: PageQuery({ q: partial('name') }),
      success: onePage('names', SenderName, { id: 5, name: 'Acme' }),
      errors: [],
      handle: async ({ caller, query }) =>
        await searchSenders(db, caller.instance.id, { column: 'name', search: query }),
    }),
    operation({
      id: 'search_sender_emails',
      method: 'GET',
      path: '/v1/senders/search/emails',
      tag,
      summary: 'Find senders by address',
      description: 'Addresses that contain `q`, in alphabetical order; all of them without it.',
      access,
      query: PageQuery({ q: partial('address') }),
      success: onePage('addresses', SenderEmail, { id: 5, email_address: 'hello@mail.example.com' }),
      errors: [],
      handle: async ({ caller, query }) =>
        await searchSenders(db, caller.instance.id, { column: 'email_address', search: query }),
    }),
  ];
}
