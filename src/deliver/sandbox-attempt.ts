import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '../base/db/database.ts';
import { classify, type ReplyOutcome } from '../protocol/classify/classify.ts';
import type { AttemptResult } from './remote-attempt.ts';
import {
  capturePlatformMail,
  createCapture,
  type SandboxReactions,
  type SandboxMail,
} from '../sandbox/index.ts';

interface AttemptedMail extends SandboxMail {
  attempt: number;
  /** Of a recipient that exists elsewhere: captured without a script, as mail of the platform or of a sandbox sender. */
  kept_inside?: 'platform' | 'instance' | undefined;
}

const slowMs = 3_000;
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
/** The hint in the text makes scripted retries take seconds; the usual schedule takes minutes. */
const tryLater: ReplyOutcome = {
  code: 451,
  enhanced: '4.7.1',
  text: 'sandbox: greylisted, try again in 1 second',
  phase: 'rcpt',
};

/** Stands in for a remote server: the local part of the recipient selects its reply (contract §6). */
export function createSandbox(
  db: Queryable,
  reactions: SandboxReactions,
): (mail: AttemptedMail, last_attempt: boolean) => Promise<AttemptResult> {
  const capture = createCapture(db);

  return async (mail, last_attempt) => {
    await (mail.kept_inside === 'platform' ? capturePlatformMail(db, mail) : capture(mail));
    const script = mail.kept_inside === undefined ? scriptOf(mail) : 'delivered';
    const reply = await answer(script, mail);
    const reaction = reply === accepted ? reactions.get(script) : undefined;
    return {
      verdict: classify(reply, { last_attempt }),
      ...(reaction ? { onRecorded: async () => await reaction(mail) } : {}),
      details: {
        remote_host: 'sandbox',
        smtp_code: reply.code,
        enhanced_code: reply.enhanced ?? undefined,
        response: `${reply.code} ${reply.enhanced} ${reply.text}`,
      },
    };
  };
}

function scriptOf({ recipient }: AttemptedMail): string {
  const [script = ''] = recipient.slice(0, recipient.lastIndexOf('@')).toLowerCase().split('+');
  return script;
}

async function answer(script: string, { attempt }: AttemptedMail): Promise<ReplyOutcome> {
  if (script === 'bounce') return unknownUser;
  if (script === 'softbounce') return mailboxFull;
  if (script === 'slow') await delay(slowMs);
  const deferrals = Number(/^defer-(\d{1,3})$/.exec(script)?.[1] ?? 0);
  return attempt <= deferrals ? tryLater : accepted;
}
