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
