import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  type ErasedBatch,
  erasedAtOnce,
  erasedText,
  pagesBy,
  pageRows,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';

interface Received extends PersonalRow {
  broadcast_id: number;
}

const received: Collection = {
  name: 'broadcast_recipients',
  about: 'Broadcasts that the person was to receive, each with the consent that allowed it.',
  columns: {
    broadcast_id: 'Identifier of the broadcast.',
    name: 'Its name.',
    contact: 'The address.',
    purpose_id: 'What it was about.',
    consent_rule_id: 'The rule of the consent that allowed it.',
    started_at: 'When the recipients were found.',
    refused: 'Why no mail was made; otherwise the mail itself says what became of it.',
  },
  rows: (db, { instance_id, emails }) =>
    pagesBy(
      async (after: number | undefined) =>
        await db.query<Received>(
          `select p.broadcast_id, b.name, p.contact, b.purpose_id, p.rule_id as consent_rule_id, b.started_at, p.refused
           from broadcast_recipients p join broadcasts b on b.id = p.broadcast_id
           where b.instance_id = $1 and p.contact = any ($2::text[]) and p.broadcast_id > $3
           order by p.broadcast_id limit ${pageRows}`,
          [instance_id, emails, after ?? 0],
        ),
      ({ broadcast_id }) => broadcast_id,
    ),
};

const excluded: Collection = {
  name: 'broadcasts',
  about: 'Broadcasts that leave the person out by their address.',
  columns: {
    id: 'Identifier of the broadcast.',
    name: 'Its name.',
    contact: 'The address that is left out.',
  },
  rows: (db, { instance_id, emails }) =>
    pagesBy(
      async (after: number | undefined) =>
        await db.query<PersonalRow & { id: number }>(
          `select b.id, b.name, (array(select e from unnest($2::text[]) as e where b.audience -> 'exclude' ? e))[1] as contact
           from broadcasts b where b.instance_id = $1 and b.audience -> 'exclude' ?| $2::text[] and b.id > $3
           order by b.id limit ${pageRows}`,
          [instance_id, emails, after ?? 0],
        ),
      ({ id }) => id,
    ),
};

/** That somebody received a broadcast stays, and that it was allowed; who does not. */
async function erase(tx: Queryable, { instance_id, emails }: Person): Promise<ErasedBatch> {
  const erased = await tx.query(
    `update broadcast_recipients p set contact = '${erasedText} ' || p.position
     where (p.broadcast_id, p.position) in (
       select r.broadcast_id, r.position from broadcast_recipients r join broadcasts b on b.id = r.broadcast_id
       where b.instance_id = $1 and r.contact = any ($2::text[]) limit ${erasedAtOnce}
     ) returning p.position`,
    [instance_id, emails],
  );
  const named = await tx.query(
    `update broadcasts set audience = jsonb_set(audience, '{exclude}', (audience -> 'exclude') - $2::text[])
     where instance_id = $1 and audience -> 'exclude' ?| $2::text[] returning id`,
    [instance_id, emails],
  );
  const next = erased.length < erasedAtOnce ? undefined : 'more';
  return { rows: erased.length + named.length, next };
}

/** Whether a recipient was erased before their mail was made. */
export function isErased(contact: string): boolean {
  return contact.startsWith(erasedText);
}

export const personalData: PersonalData = {
  tables: ['broadcast_recipients', 'broadcasts'],
  collect: [received, excluded],
  erase,
};
