import { setTimeout as delay } from 'node:timers/promises';
import { createBatcher, look_up_early } from '../base/db/batcher.ts';
import { ByteColumns } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { classify, type ReplyOutcome } from '../protocol/classify/classify.ts';
import { large_bytes } from './load-batch.ts';
import type { AttemptResult } from './remote-attempt.ts';
import type { CapturedMail, SandboxReactions } from '../sandbox/sandbox-reactions.ts';

interface SandboxMail extends CapturedMail {
  instance_id: number;
  recipient: string;
  attempt: number;
  now: Date;
}

const insert: Statement = {
  name: 'deliver.capture_sandbox',
  text: `
    insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at)
    select m.mail_id, m.instance_id, m.recipient, substring($1::bytea from m.raw_at for m.raw_length), m.captured_at
    from unnest($2::uuid[], $3::bigint[], $4::text[], $5::integer[], $6::integer[], $7::timestamptz[])
      as m (mail_id, instance_id, recipient, raw_at, raw_length, captured_at)
    on conflict (mail_id) do nothing`,
};

const slow_ms = 3_000;
const accepted: ReplyOutcome = {
  code: 250,
  enhanced: '2.0.0',
  text: 'captured in the sandbox',
  phase: 'body',
};
const unknownUser: ReplyOutcome = {
  code: 550,
  enhanced: '5.1.1',
  text: 'sandbox: no such user',
  phase: 'rcpt',
};
const mailboxFull: ReplyOutcome = {
  code: 452,
  enhanced: '4.2.2',
  text: 'sandbox: mailbox full',
  phase: 'rcpt',
};
/** The hint makes the retries of a script a matter of seconds, where the usual schedule takes minutes. */
const tryLater: ReplyOutcome = {
  code: 451,
  enhanced: '4.7.1',
  text: 'sandbox: greylisted, try again in 1 second',
  phase: 'rcpt',
};

/** A local server in place of a remote one: the local part of the recipient says what it answers (contract §6). */
export function createSandbox(
  db: Queryable,
  reactions: SandboxReactions,
): (mail: SandboxMail, last_attempt: boolean) => Promise<AttemptResult> {
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
  const capture = createBatcher({ run: captureAll, most_items: 100, early: look_up_early });
  // One at a time: a query holds several copies of what it writes.
  const captureLarge = createBatcher({ run: captureAll, most_items: 1 });

  return async (mail, last_attempt) => {
    await (mail.raw.length > large_bytes ? captureLarge : capture).add(mail);
    const script = scriptOf(mail);
    const reply = await answer(script, mail);
    const reaction = reply === accepted ? reactions.get(script) : undefined;
    return {
      verdict: classify(reply, { last_attempt }),
      ...(reaction ? { afterwards: async () => await reaction(mail) } : {}),
      details: {
        remote_host: 'sandbox',
        smtp_code: reply.code,
        enhanced_code: reply.enhanced ?? undefined,
        response: `${reply.code} ${reply.enhanced} ${reply.text}`,
      },
    };
  };
}

function scriptOf({ recipient }: SandboxMail): string {
  const [script = ''] = recipient.slice(0, recipient.lastIndexOf('@')).toLowerCase().split('+');
  return script;
}

async function answer(script: string, { attempt }: SandboxMail): Promise<ReplyOutcome> {
  if (script === 'bounce') return unknownUser;
  if (script === 'softbounce') return mailboxFull;
  if (script === 'slow') await delay(slow_ms);
  const deferrals = Number(/^defer-(\d{1,3})$/.exec(script)?.[1] ?? 0);
  return attempt <= deferrals ? tryLater : accepted;
}
