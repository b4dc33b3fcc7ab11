import type { Queryable } from '../base/db/database.ts';
import type { Collection, ErasedBatch, Person, PersonalData, PersonalRow } from '../base/personal-data.ts';

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
async function erase(tx: Queryable, { instance_id, emails }: Person): Promise<ErasedBatch> {
  const rows = await tx.query<{ id: number }>(
    'delete from invitations where instance_id = $1 and email = any ($2::text[]) returning id',
    [instance_id, emails],
  );
  return { rows: rows.length, next: undefined };
}

export const personalData: PersonalData = { tables: ['invitations'], collect: [invitations], erase };
