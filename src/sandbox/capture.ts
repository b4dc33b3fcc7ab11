import { createBatcher, lookUpEarly } from '../base/db/batcher.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { CapturedMail } from './sandbox-reactions.ts';

export interface SandboxMail extends CapturedMail {
  instance_id: number;
  recipient: string;
  now: Date;
}

const largeBytes = 256 * 1024;

const insert: Statement = {
  name: 'sandbox.capture',
  text: `
    insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at)
    select m.mail_id, m.instance_id, m.recipient,
      substring($1::bytea from 1 + (sum(m.length) over (order by m.position) - m.length)::integer for m.length), m.captured_at
    from unnest($2::uuid[], $3::bigint[], $4::text[], $5::integer[], $6::timestamptz[]) with ordinality
      as m (mail_id, instance_id, recipient, length, captured_at, position)
    on conflict (mail_id) do nothing`,
};

/** Stores the message that would have been sent; retries store it once. */
export function createCapture(db: Queryable): (mail: SandboxMail) => Promise<void> {
  const captureAll = async (mails: SandboxMail[]): Promise<void[]> => {
    const raws = mails.map(({ raw }) => raw);
    const lengths = raws.map(({ length }) => length);
    await db.query(insert, [
      // One buffer, which the server slices: an array is sent as hexadecimal text, twice the size and most of the cost of a write.
      Buffer.concat(raws),
      mails.map(({ mail_id }) => mail_id),
      mails.map(({ instance_id }) => instance_id),
      mails.map(({ recipient }) => recipient),
      lengths,
      mails.map(({ now }) => now.toISOString()),
    ]);
    return mails.map(() => undefined);
  };
  const capture = createBatcher({ run: captureAll, max_items: 100, early: lookUpEarly });
  // One at a time: a query holds several copies of what it writes.
  const captureLarge = createBatcher({ run: captureAll, max_items: 1 });
  return async (mail) => await (mail.raw.length > largeBytes ? captureLarge : capture).add(mail);
}
