import { createBatcher, type Batcher } from '../base/db/batcher.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { canonicalContact } from '../base/contacts.ts';
import type { Envelope, TakenAction } from './received-mail.ts';

/** One recipient of a mail that a route took. */
export interface ReceivedRecipient {
  id: string;
  instance_id: number;
  domain_id: number;
  route_id: number | null;
  action: TakenAction;
  recipient: string;
  tag: string | null;
}

/** One transaction of a server that handed mail over. */
export interface Receipt extends Envelope {
  raw: Buffer;
  is_sandbox: boolean;
  received_at: Date;
  /** Of an instance each; they share a source. */
  sources: { id: string; recipients: ReceivedRecipient[] }[];
}

/** Repeating it stores nothing twice: what is retried after a lost answer has the same identifiers. */
const insert: Statement = {
  name: 'received.insert',
  text: `
    with stored as (
      insert into received_sources (id, instance_id, raw, received_at)
      select s.id, s.instance_id, substring($1::bytea from s.starts_at for s.length), s.received_at
      from unnest($2::uuid[], $3::bigint[], $4::integer[], $5::integer[], $6::timestamptz[])
        as s (id, instance_id, starts_at, length, received_at)
      on conflict (id) do nothing
    )
    insert into received_mails (id, instance_id, source_id, domain_id, route_id, action, is_sandbox, mail_from, recipient, tag,
      helo, remote_ip, tls, size_bytes, received_at, parse_due_at, contacts)
    select m.id, m.instance_id, m.source_id, m.domain_id, m.route_id, m.action, m.is_sandbox, m.mail_from, m.recipient, m.tag,
      m.helo, m.remote_ip, m.tls, m.size_bytes, m.received_at, m.received_at,
      case when m.contact is null then '{}' else array[m.contact] end
    from unnest($7::uuid[], $8::bigint[], $9::uuid[], $10::bigint[], $11::bigint[], $12::text[], $13::boolean[], $14::text[],
        $15::text[], $16::text[], $17::text[], $18::inet[], $19::text[], $20::integer[], $21::timestamptz[], $22::text[])
      as m (id, instance_id, source_id, domain_id, route_id, action, is_sandbox, mail_from, recipient, tag, helo, remote_ip,
        tls, size_bytes, received_at, contact)
    on conflict (id) do nothing`,
};

const wake: Statement = { name: 'received.wake', text: `select pg_notify('chasqui_received', '')` };

type Columns = unknown[][];

function sourceColumns(receipts: Receipt[]): Columns {
  let end = 1;
  const rows = receipts.flatMap(({ raw, sources, received_at }) => {
    const starts_at = end;
    end += raw.length;
    return sources.map(({ id, recipients }) => [
      id,
      recipients[0]?.instance_id,
      starts_at,
      raw.length,
      received_at.toISOString(),
    ]);
  });
  return columnsOf(rows, 5);
}

function mailColumns(receipts: Receipt[]): Columns {
  const rows = receipts.flatMap(({ raw, sources, is_sandbox, received_at, ...envelope }) =>
    sources.flatMap(({ id: source_id, recipients }) =>
      recipients.map((each) => [
        each.id,
        each.instance_id,
        source_id,
        each.domain_id,
        each.route_id,
        each.action,
        is_sandbox,
        envelope.mail_from,
        each.recipient,
        each.tag,
        envelope.helo,
        envelope.remote_ip,
        envelope.tls,
        raw.length,
        received_at.toISOString(),
        contactOf(envelope.mail_from),
      ]),
    ),
  );
  return columnsOf(rows, 16);
}

const columnsOf = (rows: unknown[][], width: number): Columns =>
  Array.from({ length: width }, (_, index) => rows.map((row) => row[index]));

/** Until it is parsed only the reverse path says whose it is. */
function contactOf(mail_from: string | null): string | null {
  return mail_from === null ? null : canonicalContact({ contact_type: 'email_address', contact: mail_from });
}

/** As one statement; parsers are notified. */
export async function insertReceipts(db: Queryable, receipts: Receipt[]): Promise<void> {
  // One buffer, which the server slices: an array of bytea is sent as hexadecimal text.
  const bytes = receipts.length === 1 ? receipts[0]?.raw : Buffer.concat(receipts.map(({ raw }) => raw));
  await db.query(insert, [bytes, ...sourceColumns(receipts), ...mailColumns(receipts)]);
  await db.query(wake);
}

const largeBytes = 256 * 1024;
const maxBatchBytes = 4 * 1024 * 1024;

export interface ReceivedStoreOptions {
  db: Queryable;
  /** How long a receipt is retried while the database is out of reach. */
  within_ms: number;
  signal: AbortSignal;
  onOutage: (error: unknown) => void;
  onWorking: () => void;
}

/** Stores what was received; resolves once it is committed. Those that wait at the same time share a statement. */
export function createReceivedStore(options: ReceivedStoreOptions): (receipt: Receipt) => Promise<void> {
  const { db, within_ms, signal, onOutage, onWorking } = options;
  const insertAll = async (receipts: Receipt[]): Promise<void[]> => {
    await insertReceipts(db, receipts);
    return receipts.map(() => undefined);
  };
  const open = (slots: number, max_items: number): Batcher<Receipt, void> =>
    createBatcher({
      run: insertAll,
      max_items,
      max_bytes: maxBatchBytes,
      bytesOf: ({ raw }) => raw.length,
      slots,
      on_failure: 'split',
      retry: { within_ms, signal, onFailure: onOutage, onSuccess: onWorking },
    });
  const small = open(2, 200);
  // One at a time: a statement holds several copies of what it writes.
  const large = open(1, 1);
  return async (receipt) => await (receipt.raw.length > largeBytes ? large : small).add(receipt);
}
