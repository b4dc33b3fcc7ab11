import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import type { PlatformMail, SendPlatformMail } from '../base/platform-mail.ts';
import { limitPlatformMail, MailLimitReached, type PlatformMailLimits } from '../limits/index.ts';

/** Of one instance; a team has few. */
const maxAdmins = 20;

export interface AdminMailing {
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
}

interface Reader {
  to: string;
  /** Null when the reader has chosen none: then both are written. */
  language: Language | null;
  instance: string;
}

/**
 * Writes to those who answer for an instance. In the transaction of what it is about, so that a failure is repeated: a mail twice
 * is better than none.
 */
export async function writeToAdmins(
  tx: Queryable,
  { sendPlatformMail, mail_limits }: AdminMailing,
  { instance_id, mailFor }: { instance_id: number; mailFor: (reader: Reader) => PlatformMail },
): Promise<number> {
  const admins = await tx.query<{ email: string; language: Language | null; instance: string }>(
    `select u.email, u.language, i.name as instance from memberships m
     join users u on u.id = m.user_id join instances i on i.id = m.instance_id
     where m.instance_id = $1 and m.role in ('owner', 'admin') order by u.id limit ${maxAdmins}`,
    [instance_id],
  );
  let written = 0;
  for (const { email: to, language, instance } of admins) {
    try {
      await limitPlatformMail(tx, mail_limits, {
        kind: 'platform',
        instance_id,
        recipient: to,
        address: null,
      });
    } catch (error) {
      // The panel says it too.
      if (error instanceof MailLimitReached) continue;
      throw error;
    }
    await sendPlatformMail(mailFor({ to, language, instance }));
    written += 1;
  }
  return written;
}
