import type { Queryable } from '../base/db/database.ts';
import { erasedAddress, type Person } from '../base/personal-data.ts';
import { canonicalContact, type Contact } from '../base/contacts.ts';

/** The database's lower case may differ from this process's in a letter that only one of them knows: both are looked for. */
export async function personOf(db: Queryable, instanceId: number, contacts: Contact[]): Promise<Person> {
  const of = (type: Contact['contact_type']): string[] => [
    ...new Set(contacts.filter(({ contact_type }) => contact_type === type).map(canonicalContact)),
  ];
  const emails = of('email_address');
  const lower = await db.query<{ email: string }>(
    'select lower(given collate "und-x-icu") as email from unnest($1::text[]) as given',
    [emails],
  );
  return {
    instance_id: instanceId,
    // It stands for everybody who was erased.
    emails: [...new Set([...emails, ...lower.map(({ email }) => email)])].filter(
      (email) => email !== erasedAddress,
    ),
    phones: of('phone_number'),
    codes: of('uniquecode'),
  };
}
