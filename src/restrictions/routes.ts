import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage } from '../base/http/pagination.ts';
import {
  getComplaint,
  getUnsubscribe,
  listComplaints,
  listRestrictions,
  listUnsubscribes,
} from './list-suppressions.ts';
import {
  Complaint,
  complaintExample,
  ComplaintsQuery,
  Restriction,
  restrictionExample,
  RestrictionsQuery,
  Unsubscribe,
  unsubscribeExample,
  UnsubscribesQuery,
} from './suppression-schemas.ts';

const access = { kind: 'api_key', scope: 'mail:read' } as const;
const tag = 'Suppressions';
const params = Type.Object({
  mail_id: Type.String({ description: 'Identifier of the mail.', examples: [complaintExample.mail_id] }),
});

interface SuppressionContext {
  db: Queryable;
  clock: Clock;
}

export function suppressionRoutes(context: SuppressionContext): Operation[] {
  return [...complaintRoutes(context), ...unsubscribeRoutes(context), restrictionRoute(context)];
}

function complaintRoutes({ db, clock }: SuppressionContext): Operation[] {
  return [
    operation({
      id: 'list_complaints',
      method: 'GET',
      path: '/v1/mail-complaints',
      tag,
      summary: 'List complaints',
      description:
        'Recipients who reported a mail, by its report-abuse page or through their provider; newest first. Each of them is restricted.',
      access,
      query: ComplaintsQuery,
      success: onePage('complaints', Complaint, complaintExample),
      errors: [],
      handle: async ({ caller: { instance }, query }) =>
        await listComplaints(db, instance.id, { query, now: clock.now(), timezone: instance.timezone }),
    }),
    operation({
      id: 'get_complaint',
      method: 'GET',
      path: '/v1/mail-complaints/{mail_id}',
      tag,
      summary: 'Read a complaint',
      description: 'The complaint about one mail. It is kept after the retention of the mail.',
      access,
      params,
      success: {
        status: 200,
        description: 'The complaint.',
        schema: Complaint,
        example: complaintExample,
      },
      errors: ['mail_complaint_not_found'],
      handle: async ({ caller, params: { mail_id } }) => await getComplaint(db, caller.instance.id, mail_id),
    }),
  ];
}

function unsubscribeRoutes({ db, clock }: SuppressionContext): Operation[] {
  return [
    operation({
      id: 'list_unsubscribes',
      method: 'GET',
      path: '/v1/mail-unsubscribes',
      tag,
      summary: 'List unsubscribes',
      description:
        'Recipients who unsubscribed from broadcast mail, newest first; those who resubscribed have a `resubscribed_at`.',
      access,
      query: UnsubscribesQuery,
      success: onePage('unsubscribes', Unsubscribe, unsubscribeExample),
      errors: [],
      handle: async ({ caller: { instance }, query }) =>
        await listUnsubscribes(db, instance.id, { query, now: clock.now(), timezone: instance.timezone }),
    }),
    operation({
      id: 'get_unsubscribe',
      method: 'GET',
      path: '/v1/mail-unsubscribes/{mail_id}',
      tag,
      summary: 'Read an unsubscribe',
      description: 'The unsubscribe by one mail. It is kept after the retention of the mail.',
      access,
      params,
      success: {
        status: 200,
        description: 'The unsubscribe.',
        schema: Unsubscribe,
        example: unsubscribeExample,
      },
      errors: ['mail_unsubscribe_not_found'],
      handle: async ({ caller, params: { mail_id } }) =>
        await getUnsubscribe(db, caller.instance.id, mail_id),
    }),
  ];
}

function restrictionRoute({ db, clock }: SuppressionContext): Operation {
  return operation({
    id: 'list_restrictions',
    method: 'GET',
    path: '/v1/mail-restrictions',
    tag,
    summary: 'List restrictions',
    description:
      'Addresses that no sender of the instance sends to, after a hard bounce, a complaint, or added manually. Newest first unless `sort` says otherwise.',
    access,
    query: RestrictionsQuery,
    success: onePage('restrictions', Restriction, restrictionExample),
    errors: [],
    handle: async ({ caller: { instance }, query }) =>
      await listRestrictions(db, instance.id, { query, now: clock.now(), timezone: instance.timezone }),
  });
}
