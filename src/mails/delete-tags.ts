import type { Queryable } from '../base/db/database.ts';
import { tagKey, type Tags } from './tags.ts';

export interface TaggedMail {
  mail_id: string;
  tags: Tags | null;
}

/** Before their tags are gone from the mails, which name the rows: these have no index by mail. */
export async function deleteTags(tx: Queryable, instanceId: number, mails: TaggedMail[]): Promise<void> {
  const rows = mails.flatMap(({ mail_id, tags }) =>
    Object.entries(tags ?? {}).map(([name, value]) => ({ mail_id, tag: tagKey(name, value) })),
  );
  if (rows.length === 0) return;
  await tx.query(
    `delete from mail_tags where instance_id = $1
       and (tag, mail_id) in (select * from unnest($2::text[], $3::uuid[]))`,
    [instanceId, rows.map(({ tag }) => tag), rows.map(({ mail_id }) => mail_id)],
  );
}
