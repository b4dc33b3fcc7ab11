import type { Queryable } from '../base/db/database.ts';
import type { Collection, Person, PersonalData, PersonalRow } from '../base/personal-data.ts';

const invitations: Collection = {
  name: 'invitations',
  about: 'Invitations of the person to the team.',
  columns: {
    id: 'Identifier.',
    email: 'The address.',
    role: 'As what.',
    created_at: 'When.',
    accepted_at: 'When accepted.',
  },
  async *rows(db, { instance_id, emails }) {
    yield await db.query<PersonalRow>(
      `select id, email, role, created_at, accepted_at from invitations
       where instance_id = $1 and email = any ($2::text[]) order by id`,
      [instance_id, emails],
    );
  },
};

/** Accounts of team members stay: they are closed by leaving the team. */
async function erase(tx: Queryable, { instance_id, emails }: Person): Promise<number> {
  const rows = await tx.query(
    'delete from invitations where instance_id = $1 and email = any ($2::text[]) returning id',
    [instance_id, emails],
  );
  return rows.length;
}

/** Those of the addresses whom the platform writes to for another reason: an account, or an invitation of another instance. */
export async function knownToPlatform(
  db: Queryable,
  { instance_id, emails }: Pick<Person, 'instance_id' | 'emails'>,
): Promise<Set<string>> {
  const rows = await db.query<{ email: string }>(
    `select email from users where email = any ($2::text[])
     union select email from invitations where instance_id <> $1 and email = any ($2::text[]) and accepted_at is null
       and revoked_at is null and expires_at > now()`,
    [instance_id, emails],
  );
  return new Set(rows.map(({ email }) => email));
}

export const personalData: PersonalData = { tables: ['invitations'], collect: [invitations], erase };
