import type { Queryable } from '../base/db/database.ts';
import type { Collection, ErasedMails, PersonalData } from '../base/personal-data.ts';
import { rowsOfMails } from '../mails/index.ts';

const deliveries: Collection = {
  name: 'webhook_deliveries',
  about: 'Events about mails of the person that were handed to a system of the sender.',
  columns: {
    id: 'Identifier of the delivery.',
    mail_id: 'The mail it was about.',
    type: 'What was told.',
    event_at: 'When that had happened.',
    state: 'The result of the delivery.',
    host: 'Where the endpoint is.',
    attempts:
      'When it was tried, and with what result. Addresses and signatures of the sender’s systems are left out.',
  },
  rows: rowsOfMails(
    `select d.id, d.mail_id, d.type, d.event_at, d.state, substring(w.url from '^[a-z]+://([^/?#:@]+)(?:[:/?#]|$)') as host,
       (select coalesce(jsonb_agg(jsonb_build_object('at', a -> 'at', 'status_code', a -> 'status_code', 'error', a -> 'error')), '[]')
        from jsonb_array_elements(d.log) as a) as attempts
     from webhook_deliveries d left join webhooks w on w.id = d.webhook_id
     where d.mail_id = any ($1::uuid[]) and d.instance_id = $2 order by d.mail_id desc, d.id`,
  ),
};

/**
 * What endpoints answered may repeat what they were told. Deliveries that are due send the erased mail. One that is under way
 * loses its lease, so that its answer is not logged afterwards; it is delivered again.
 */
async function eraseOfMails(
  tx: Queryable,
  { instance_id, mail_ids, sibling_ids }: ErasedMails,
): Promise<void> {
  await tx.query(
    `update webhook_deliveries set log = '[]', last_error = null, lease = null, leased_until = null
     where mail_id = any ($1::uuid[]) and instance_id = $2`,
    [[...mail_ids, ...sibling_ids], instance_id],
  );
}

export const personalData: PersonalData = {
  tables: ['webhook_deliveries'],
  collect: [deliveries],
  eraseOfMails,
};
