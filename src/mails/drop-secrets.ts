import type { Queryable } from '../base/db/database.ts';
import { batchRows, inBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';
import { erasedText } from '../base/personal-data.ts';
import { mailWithSecrets } from '../base/platform-mail.ts';

/** Longer than a mail is attempted. */
const lookedBackDays = 14;

/** Messages whose mails have all ended, and that still have their content. */
const drop = `
  update messages g set content_kind = 'parts', html = null, raw = null, variables = null, text = $1
  where g.msg_id >= uuid_at($2) and g.msg_id in (
    select m.msg_id from mails m join instances i on i.id = m.instance_id and i.is_platform
    join categories c on c.id = m.category_id
    join messages w on w.msg_id = m.msg_id and w.html is not null
    where m.mail_id >= uuid_at($2) and c.slug = any ($3::text[])
      and not exists (select from mails s join queue q on q.mail_id = s.mail_id
                      where s.instance_id = m.instance_id and s.msg_id = m.msg_id)
    order by m.msg_id limit $4)
  returning g.msg_id`;

/**
 * The content of invitations and other mail of the platform by whose link anybody gets in. It is needed until the mail has arrived
 * or failed; after that only an intruder would read it.
 */
export async function dropSecrets(db: Queryable, now: Date): Promise<number> {
  const since = new Date(now.getTime() - lookedBackDays * 86_400_000);
  const rows = await db.query(drop, [Buffer.from(erasedText), since, mailWithSecrets, batchRows]);
  return rows.length;
}

export const dropSecretsJob: Job = {
  name: 'platform_secrets',
  every_ms: 60_000,
  destructive: true,
  async run(context) {
    const dropped = await inBatches(context, async () => await dropSecrets(context.db, context.now));
    return `${dropped} mails without their links`;
  },
};
