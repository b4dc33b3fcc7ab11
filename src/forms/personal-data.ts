import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  page_rows,
  pagesBy,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';
import { canonicalContact } from '../consent/index.ts';
import { contact_channels } from './validate-items.ts';

interface SubmissionRow extends PersonalRow {
  id: number;
  answers: Record<string, unknown>;
}

/** Keys of the answers that name a person in a submission that is somebody else's; undefined when it is theirs. */
interface Found {
  row: SubmissionRow;
  mentions: string[] | undefined;
}

const columns = `s.id, s.form_id, s.status, s.answers, host(s.address) as address, s.user_agent, s.created_at,
  s.confirmed_at`;

/** Form by form in the order of submissions. Answers are compared here, since each has its own spelling. */
async function* findSubmissions(db: Queryable, person: Person): AsyncGenerator<Found[]> {
  const forms = await db.query<{ id: number }>('select id from forms where instance_id = $1 order by id', [
    person.instance_id,
  ]);
  const find = finderOf(person);
  for (const form of forms) {
    const pages = pagesBy<SubmissionRow, number>(
      async (after = 0) =>
        await db.query<SubmissionRow>(
          `select ${columns} from form_submissions s where s.form_id = $1 and s.id > $2 order by s.id limit ${page_rows}`,
          [form.id, after],
        ),
      ({ id }) => id,
    );
    for await (const page of pages) {
      const found = page.flatMap(find);
      if (found.length > 0) yield found;
    }
  }
}

/**
 * A submission belongs to whom its contacts name; where they name another, only the answers that name the person do. A code
 * counts where a code was asked for: elsewhere it may be any word.
 */
function finderOf({ emails, phones, codes }: Person): (row: SubmissionRow) => Found[] {
  const known = { email_address: new Set(emails), phone_number: new Set(phones), uniquecode: new Set(codes) };
  const types = Object.keys(known) as (keyof typeof known)[];
  const names = (key: string, contact: string): boolean =>
    types.some(
      (contact_type) =>
        (contact_type !== 'uniquecode' || key === 'UNIQUECODE') &&
        known[contact_type].has(canonicalContact({ contact_type, contact })),
    );
  return (row) => {
    const keys = Object.keys(row.answers);
    const mentions = keys.filter((key) => stringsIn(row.answers[key]).some((text) => names(key, text)));
    if (mentions.length === 0) return [];
    const contacts = keys.filter((key) => contact_channels.has(key));
    const isTheirs = contacts.length === 0 || contacts.some((key) => mentions.includes(key));
    return [{ row, mentions: isTheirs ? undefined : mentions }];
  };
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

async function* submissionsOf(db: Queryable, person: Person): AsyncGenerator<PersonalRow[]> {
  for await (const found of findSubmissions(db, person)) yield found.map(shownOf);
}

function shownOf({ row, mentions }: Found): PersonalRow {
  if (mentions === undefined) return row;
  const answers = Object.fromEntries(mentions.map((key) => [key, row.answers[key]]));
  return { ...row, answers, address: null, user_agent: null };
}

const submissions: Collection = {
  name: 'form_submissions',
  about:
    'What the person filled into forms. Of what somebody else filled in, the answers that name the person alone.',
  columns: {
    id: 'Identifier of the submission.',
    form_id: 'The form.',
    status: 'pending, confirmed or expired.',
    answers: 'What was filled in.',
    address: 'From which network address.',
    user_agent: 'With which program.',
    created_at: 'When.',
    confirmed_at: 'When the person confirmed it by mail.',
  },
  rows: submissionsOf,
};

/** That a form was filled in stays; an unconfirmed one expires at once. Of somebody else's the answers go that name the person. */
async function erase(tx: Queryable, person: Person): Promise<number> {
  for await (const found of findSubmissions(tx, person)) {
    const theirs = found.filter(({ mentions }) => mentions === undefined);
    await tx.query(
      `update form_submissions set answers = '{}', address = null, user_agent = null,
         expires_at = least(expires_at, now())
       where id = any ($1::bigint[]) and instance_id = $2`,
      [theirs.map(({ row }) => row.id), person.instance_id],
    );
    const others = found.filter(({ mentions }) => mentions !== undefined);
    await tx.query(
      `update form_submissions s set answers = s.answers - array (select jsonb_array_elements_text(o.keys))
       from unnest($1::bigint[], $2::jsonb[]) as o (id, keys) where s.id = o.id and s.instance_id = $3`,
      [
        others.map(({ row }) => row.id),
        others.map(({ mentions }) => JSON.stringify(mentions)),
        person.instance_id,
      ],
    );
    return found.length;
  }
  return 0;
}

export const personalData: PersonalData = { tables: ['form_submissions'], collect: [submissions], erase };
