import type { Queryable, Statement } from '../base/db/database.ts';
import type { SandboxMail } from './capture.ts';

/**
 * For the instance that the mail is about, which its group names (`mails/platform-mail-group.ts`). A password link is about an
 * account: it is captured for one instance of its owner, who alone sees it there.
 */
const insert: Statement = {
  name: 'sandbox.capture_platform_mail',
  text: `
    insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at, platform_kind)
    select m.mail_id, coalesce(about.id, own.instance_id, m.instance_id), m.recipient, $2, $3, c.slug
    from mails m join categories c on c.id = m.category_id
    left join instances about on 'instance-' || about.id = m.custom_group_code
    left join lateral (
      select min(p.instance_id) as instance_id from memberships p join users u on u.id = p.user_id
      where u.email = lower(m.recipient)
    ) as own on true
    where m.mail_id = $1 and m.instance_id = $4
    on conflict (mail_id) do nothing`,
};

/** Stores a mail of the platform in place of sending it. */
export async function capturePlatformMail(
  db: Queryable,
  { mail_id, instance_id, raw, now }: Omit<SandboxMail, 'recipient'>,
): Promise<void> {
  await db.query(insert, [mail_id, raw, now, instance_id]);
}
