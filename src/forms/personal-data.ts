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

interface SubmissionRow extends PersonalRow {
  id: number;
  answers: unknown;
}

const columns = `s.id, s.form_id, s.status, s.answers, host(s.address) as address, s.user_agent, s.created_at,
  s.confirmed_at`;

/** Form by form in the order of submissions. Answers are compared here, since each has its own spelling. */
async function* submissionsOf(db: Queryable, person: Person): AsyncGenerator<SubmissionRow[]> {
  const forms = await db.query<{ id: number }>('select id from forms where instance_id = $1 order by id', [
    person.instance_id,
  ]);
  const isTheirs = answerTest(person);
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
      const theirs = page.filter(({ answers }) => stringsIn(answers).some(isTheirs));
      if (theirs.length > 0) yield theirs;
    }
  }
}

function answerTest({ emails, phones, codes }: Person): (answer: string) => boolean {
  const known = { email_address: new Set(emails), phone_number: new Set(phones), uniquecode: new Set(codes) };
  const types = Object.keys(known) as (keyof typeof known)[];
  return (contact) =>
    types.some((contact_type) => known[contact_type].has(canonicalContact({ contact_type, contact })));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

const submissions: Collection = {
  name: 'form_submissions',
  about: 'What the person filled into forms.',
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

/** That a form was filled in stays; an unconfirmed one expires at once. */
async function erase(tx: Queryable, person: Person): Promise<number> {
  for await (const page of submissionsOf(tx, person)) {
    await tx.query(
      `update form_submissions set answers = '{}', address = null, user_agent = null,
         expires_at = least(expires_at, now())
       where id = any ($1::bigint[]) and instance_id = $2`,
      [page.map(({ id }) => id), person.instance_id],
    );
    return page.length;
  }
  return 0;
}

export const personalData: PersonalData = { tables: ['form_submissions'], collect: [submissions], erase };
