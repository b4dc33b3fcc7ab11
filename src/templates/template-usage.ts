import { Type, type Static } from 'typebox';
import type { Queryable } from '../base/db/database.ts';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import { getTemplate } from './templates.ts';

export const TemplateUsage = Type.Object(
  {
    forms: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), {
      description: 'Forms whose automatic reply it is, at most 100.',
    }),
    recent_mails: Type.Integer({ description: 'How many mails were looked at: the newest, at most 1,000.' }),
    recent_mails_with_it: Type.Integer({
      description: 'How many of them were sent with it, without those in `test_mode`.',
    }),
    last_sent_at: Nullable(DateTime('When the newest of these was accepted.')),
  },
  { $id: 'TemplateUsage' },
);
export type TemplateUsage = Static<typeof TemplateUsage>;

/** What depends on a template. The work is bounded: messages have no index by template. */
export async function getTemplateUsage(
  db: Queryable,
  instanceId: number,
  id: number,
): Promise<TemplateUsage> {
  await getTemplate(db, instanceId, id);
  const forms = await db.query<{ id: number; name: string }>(
    `select id, name from forms
     where instance_id = $1 and settings -> 'auto_reply' -> 'template_id' = to_jsonb($2::bigint) and deleted_at is null
     order by id limit 100`,
    [instanceId, id],
  );
  const [recent] = await db.query<Omit<TemplateUsage, 'forms'>>(
    `with newest as (
       select msg_id, received_at, test_mode from mails where instance_id = $1 order by mail_id desc limit 1000
     )
     select count(*)::integer as recent_mails,
       count(*) filter (where used)::integer as recent_mails_with_it,
       max(received_at) filter (where used) as last_sent_at
     from (
       select received_at, coalesce(template_id = $2 and not newest.test_mode, false) as used
       from newest left join messages using (msg_id)
     ) looked_at`,
    [instanceId, id],
  );
  return { forms, ...(recent as Omit<TemplateUsage, 'forms'>) };
}
