import { addressKey } from '../base/db/address-key.ts';
import { answersNotBlocked } from '../base/db/blocked-contacts.ts';

/** SQL: whose submission it is, as in the index `form_submissions_of_contact`. */
export const contactKeyOf = (submission: string): string => addressKey(`(${submission}.answers ->> 'EMAIL')`);

/** SQL: no answer of a submission identifies a blocked person. */
export const notBlocked = (instance: string, submission = 's'): string =>
  answersNotBlocked(
    `${submission}.answers`,
    {
      phone_number: `select field_key from fields where instance_id = ${instance} and type = 'phone'`,
      uniquecode: `'UNIQUECODE'`,
    },
    instance,
  );

/** Anybody can add to what a contact told, so that the oldest of it is not looked at. */
const toldAtMost = 250;

/**
 * SQL: what a contact told last, field by field, as an object; null where nothing was told. What was told from the mailbox itself
 * outweighs the rest, as in `contact-answers.ts`.
 */
export const newestAnswersOf = (key: string, instance: string): string => `(
  select jsonb_strip_nulls(jsonb_object_agg(answer.key, answer.value order by told.is_proven, told.id))
  from (
    select s.id, s.answers, s.is_update or s.expires_at is not null as is_proven from form_submissions s
    where s.instance_id = ${instance} and s.status = 'confirmed' and ${contactKeyOf('s')} = ${key} and ${notBlocked(instance)}
    order by s.is_update or s.expires_at is not null desc, s.id desc limit ${toldAtMost}
  ) as told cross join lateral jsonb_each(told.answers) as answer)`;
