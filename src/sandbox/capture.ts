import { createBatcher, look_up_early } from '../base/db/batcher.ts';
import { ByteColumns } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { CapturedMail } from './sandbox-reactions.ts';

export interface SandboxMail extends CapturedMail {
  instance_id: number;
  recipient: string;
  now: Date;
}

const large_bytes = 256 * 1024;

const insert: Statement = {
  name: 'sandbox.capture',
  text: `
    insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at)
    select m.mail_id, m.instance_id, m.recipient, substring($1::bytea from m.raw_at for m.raw_length), m.captured_at
    from unnest($2::uuid[], $3::bigint[], $4::text[], $5::integer[], $6::integer[], $7::timestamptz[])
      as m (mail_id, instance_id, recipient, raw_at, raw_length, captured_at)
    on conflict (mail_id) do nothing`,
};

/** Stores the message that would have been sent; retries store it once. */
export function createCapture(db: Queryable): (mail: SandboxMail) => Promise<void> {
  const captureAll = async (mails: SandboxMail[]): Promise<void[]> => {
    const bytes = new ByteColumns();
    const { starts, lengths } = bytes.add(mails.map(({ raw }) => raw));
    await db.query(insert, [
      bytes.toBuffer(),
      mails.map(({ mail_id }) => mail_id),
      mails.map(({ instance_id }) => instance_id),
      mails.map(({ recipient }) => recipient),
      starts,
      lengths,
      mails.map(({ now }) => now.toISOString()),
    ]);
    return mails.map(() => undefined);
  };
  const capture = createBatcher({ run: captureAll, max_items: 100, early: look_up_early });
  // One at a time: a query holds several copies of what it writes.
  const captureLarge = createBatcher({ run: captureAll, max_items: 1 });
  return async (mail) => await (mail.raw.length > large_bytes ? captureLarge : capture).add(mail);
}
