import type { Queryable } from '../base/db/database.ts';
import {
  batchOf,
  type Collection,
  type ErasedBatch,
  erasedAtOnce,
  type ErasedMails,
  type Person,
  type PersonalData,
} from '../base/personal-data.ts';
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
    url: 'The endpoint.',
    log: 'Each attempt, with what the endpoint answered.',
  },
  rows: rowsOfMails(
    `select d.id, d.mail_id, d.type, d.event_at, d.state, w.url, d.log
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

const newest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Of received mail, whose deliveries have its identifier; the mail itself is erased after it. */
async function erase(tx: Queryable, { instance_id, emails }: Person, before = newest): Promise<ErasedBatch> {
  const rows = await tx.query<{ id: string }>(
    `with found as (
       select id from received_mails where instance_id = $1 and contacts && $2::text[] and id < $3
       order by id desc limit ${erasedAtOnce}
     ), cleared as (
       update webhook_deliveries d set log = '[]', last_error = null, lease = null, leased_until = null
       from found where d.mail_id = found.id and d.instance_id = $1
     )
     select id from found order by id desc`,
    [instance_id, emails, before],
  );
  return batchOf(
    rows.map(({ id }) => id),
    erasedAtOnce,
  );
}

export const personalData: PersonalData = {
  tables: ['webhook_deliveries'],
  collect: [deliveries],
  eraseOfMails,
  erase,
};
