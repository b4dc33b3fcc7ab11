import { Type, type Static } from 'typebox';
import { notBlocked } from '../../base/db/blocked-contacts.ts';
import type { Queryable } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery, selectPage } from '../../base/http/pagination.ts';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';

const states = ['pending', 'sent_on', 'refused'] as const;
const reasons = [
  'not_agreed',
  'loop',
  'dmarc_failed',
  'too_large',
  'malformed',
  'not_accepted',
  'failed',
] as const;

export const Forward = Type.Object(
  {
    id: Id('Identifier of the forward.'),
    received_mail_id: Type.String({ description: 'The mail that came in.' }),
    subject: Nullable(Type.String({ description: 'Its subject.' })),
    route_id: Nullable(Id('The route that forwards it.')),
    address: Type.String({ description: 'Where it goes.', examples: ['ana@example.org'] }),
    state: Enum(states, {
      description:
        '`pending`: soon. `sent_on`: in the queue of the platform, see `status`. `refused`: see `reason`.',
    }),
    reason: Nullable(Enum(reasons, { description: 'Why it was not sent on.' })),
    status: Nullable(Type.Integer({ description: 'Delivery status of what was sent on, as of a mail.' })),
    response: Nullable(Type.String({ description: 'The last reply of the server of the address.' })),
    created_at: DateTime('When the mail was parsed.'),
  },
  { $id: 'Forward' },
);
export type Forward = Static<typeof Forward>;

const forwardExample = {
  id: 41,
  received_mail_id: '019a84f5-1000-7000-8000-2f6d1c3b5a7a',
  subject: 'A question',
  route_id: 7,
  address: 'ana@example.org',
  state: 'sent_on' as const,
  reason: null,
  status: 6,
  response: '550 5.1.1 No such user',
  created_at: '2026-12-01T12:00:00.000Z',
};

const columns = `f.id, f.received_mail_id, r.subject, f.route_id, f.address, f.state, f.reason, m.status, (
    select e.data ->> 'response' from events e where e.mail_id = f.mail_id and e.event_id >= uuid_at(uuid_time(f.mail_id) - interval '1 day')
      and e.data ? 'response' order by e.event_id desc limit 1
  ) as response, f.created_at`;

/** What routes forwarded: bounces of it come back here. */
export function forwardRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'list_forwards',
      method: 'GET',
      path: '/v1/forwards',
      tag: 'Receiving',
      summary: 'List forwarded mail',
      description: 'What routes sent on, newest first, with what became of it.',
      access: { kind: 'api_key', scope: 'inbound:read' },
      query: PageQuery({
        route_id: Type.Optional(Nullable(Id('Only of this route.'))),
        state: Type.Optional(Nullable(Enum(states, { description: 'Only in this state.' }))),
      }),
      success: onePage('forwards', Forward, forwardExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await selectPage<Forward>(
          db,
          {
            columns,
            source: `from received_forwards f join received_mails r on r.id = f.received_mail_id left join mails m on m.mail_id = f.mail_id
              where f.instance_id = $1 and ($2::bigint is null or f.route_id = $2) and ($3::text is null or f.state = $3)
                and ${notBlocked('f.address_key', '$1')} and ${notBlocked('lower(r.from_address)', '$1')}`,
            order_by: 'f.id desc',
            values: [caller.instance.id, query.route_id ?? null, query.state ?? null],
          },
          query,
        ),
    }),
  ];
}
