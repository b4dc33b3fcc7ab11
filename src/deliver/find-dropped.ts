import { addressKey } from '../base/db/address-key.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { findConsentDropsOfAll } from '../consent/index.ts';

/** A message whose recipients see each other. */
interface SharedMessage {
  msg_id: string;
  instance_id: number;
  consent_purpose_id: number | null;
}

interface Sibling {
  msg_id: string;
  recipient: string;
  is_dropped: boolean;
  is_waiting: boolean;
}

/** A message and its mails have the same timestamp, so the partitions of these mails only are read. */
const siblings: Statement = {
  name: 'deliver.load_siblings',
  text: `
    with found as materialized (
      select m.msg_id, m.instance_id, m.recipient, m.status
      from unnest($1::uuid[], $2::bigint[]) as wanted (msg_id, instance_id)
      join mails m on m.instance_id = wanted.instance_id and m.msg_id = wanted.msg_id
      where m.mail_id >= $3::uuid and m.mail_id <= $4::uuid
    ), blocked as materialized (
      select id, blocked_contacts(id) as contacts from (select distinct instance_id as id from found) as instances
    )
    select m.msg_id, m.recipient, m.status in (1, 2, 5, 7) as is_waiting,
      m.status = 4 or m.status in (1, 2, 5, 7) and (
        exists (select from restrictions r where r.instance_id = m.instance_id
          and r.recipient_key = ${addressKey('m.recipient')})
        or coalesce(${addressKey('m.recipient')} = any (b.contacts), false)
      ) as is_dropped
    from found m join blocked b on b.id = m.instance_id`,
};

const timeDigits = 13;

/**
 * Recipients of these messages who were dropped or will be at their next attempt, by `msg_id` and in lower case: the header
 * does not name them to other recipients (contract §6). Transactional mail ignores unsubscribes; broadcast mail names no recipient to another.
 */
export async function findDropped(
  db: Queryable,
  messages: readonly SharedMessage[],
): Promise<Map<string, ReadonlySet<string>>> {
  const ids = messages.map(({ msg_id }) => msg_id).toSorted();
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const rows = await db.query<Sibling & Record<string, unknown>>(siblings, [
    messages.map(({ msg_id }) => msg_id),
    messages.map(({ instance_id }) => instance_id),
    `${first.slice(0, timeDigits)}-0000-0000-000000000000`,
    `${last.slice(0, timeDigits)}-ffff-ffff-ffffffffffff`,
  ]);
  const dropped = new Map<string, Set<string>>(messages.map(({ msg_id }) => [msg_id, new Set()]));
  for (const { msg_id, recipient, is_dropped } of rows) {
    if (is_dropped) dropped.get(msg_id)?.add(recipient.toLowerCase());
  }
  await addWithoutConsent(db, { messages, rows, dropped });
  return dropped;
}

interface Found {
  messages: readonly SharedMessage[];
  rows: readonly Sibling[];
  dropped: Map<string, Set<string>>;
}

async function addWithoutConsent(db: Queryable, { messages, rows, dropped }: Found): Promise<void> {
  const asked = messages.flatMap(({ msg_id, instance_id, consent_purpose_id: purpose_id }) => {
    const waiting = rows.filter((row) => row.msg_id === msg_id && row.is_waiting && !row.is_dropped);
    const addresses = waiting.map(({ recipient }) => recipient);
    return purpose_id === null || addresses.length === 0
      ? []
      : [{ msg_id, instance_id, purpose_id, addresses }];
  });
  if (asked.length === 0) return;
  const drops = await findConsentDropsOfAll(db, asked);
  for (const [number, { msg_id, addresses }] of asked.entries()) {
    for (const [index, address] of addresses.entries()) {
      if (drops[number]?.[index]) dropped.get(msg_id)?.add(address.toLowerCase());
    }
  }
}
