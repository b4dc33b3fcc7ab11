import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  type ErasedBatch,
  pageRows,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';
import { recogniserOf } from '../base/recognise.ts';
import { shownStatus } from './submission-status.ts';
import { contactChannels } from './validate-items.ts';

interface SubmissionRow extends PersonalRow {
  id: number;
  answers: Record<string, unknown>;
}

/** Keys of the answers that name a person in another person's submission; undefined when it is theirs. */
interface Found {
  row: SubmissionRow;
  mentions: string[] | undefined;
}

const columns = `s.id, s.form_id, s.contact_import_id, ${shownStatus('now()')} as status, s.answers, host(s.address) as address, s.user_agent, s.created_at,
  s.confirmed_at, s.held, s.is_update`;

const newest = Number.MAX_SAFE_INTEGER;

/** Stands for a form of what was imported; the walk comes to it last. */
const imports = 0;

/**
 * The submissions of one page that name the person: form by form, the newest first, and what was imported at the end. A place is
 * `<form> <submission>`. Answers are compared here, since each has its own spelling.
 */
async function nextSubmissions(
  db: Queryable,
  person: Person,
  place = `${newest} ${newest}`,
): Promise<{ found: Found[]; next: string | undefined }> {
  const [from = newest, before = newest] = place.split(' ', 2).map(Number);
  if (from < imports) return { found: [], next: undefined };
  const form = await nextForm(db, person.instance_id, from);
  const page = await db.query<SubmissionRow>(
    `select ${columns} from form_submissions s
     where ${form === imports ? 's.contact_import_id is not null and s.instance_id = $1' : 's.form_id = $1'}
       and s.id < $2 order by s.id desc limit ${pageRows}`,
    [form === imports ? person.instance_id : form, form === from ? before : newest],
  );
  const find = finderOf(person, await fieldsOfType(db, person.instance_id, 'phone'));
  const last = page.length < pageRows ? undefined : page.at(-1)?.id;
  return {
    found: page.flatMap(find),
    next: last === undefined ? `${form - 1} ${newest}` : `${form} ${last}`,
  };
}

async function nextForm(db: Queryable, instanceId: number, from: number): Promise<number> {
  const [form] = await db.query<{ id: number }>(
    'select id from forms where instance_id = $1 and id <= $2 order by id desc limit 1',
    [instanceId, from],
  );
  return form?.id ?? imports;
}

/** Also of deleted fields, which keep their key and type. */
async function fieldsOfType(db: Queryable, instanceId: number, type: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ field_key: string }>(
    'select field_key from fields where instance_id = $1 and type = $2',
    [instanceId, type],
  );
  return new Set(rows.map(({ field_key }) => field_key));
}

/**
 * A submission belongs to whom its contacts name; where they name another, only the answers that name the person do. A code and a
 * number count where one was asked for: elsewhere they may be any word.
 */
function finderOf(person: Person, phoneFields: ReadonlySet<string>): (row: SubmissionRow) => Found[] {
  const recognises = recogniserOf(person);
  const names = (key: string, contact: string): boolean =>
    recognises({ contact_type: 'email_address', contact }) ||
    (phoneFields.has(key) && recognises({ contact_type: 'phone_number', contact })) ||
    (key === 'UNIQUECODE' && recognises({ contact_type: 'uniquecode', contact }));
  return (row) => {
    const keys = Object.keys(row.answers);
    const mentions = keys.filter((key) => stringsIn(row.answers[key]).some((text) => names(key, text)));
    if (mentions.length === 0) return [];
    const contacts = keys.filter((key) => contactChannels.has(key));
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
  let place: string | undefined;
  do {
    const { found, next } = await nextSubmissions(db, person, place);
    yield found.map(shownOf);
    place = next;
  } while (place !== undefined);
}

function shownOf({ row, mentions }: Found): PersonalRow {
  if (mentions === undefined) return row;
  const answers = Object.fromEntries(mentions.map((key) => [key, row.answers[key]]));
  return { ...row, answers, address: null, user_agent: null, held: null };
}

const submissions: Collection = {
  name: 'form_submissions',
  about:
    'What the person filled into forms, and what was imported about them. Of other people’s submissions, only the answers that name the person.',
  columns: {
    id: 'Identifier of the submission.',
    form_id: 'The form; null for what was imported.',
    contact_import_id: 'The import of a file that told it; null for what was filled in.',
    status: 'pending, confirmed or expired.',
    answers: 'What was filled in.',
    address: 'From which network address.',
    user_agent: 'With which program.',
    created_at: 'When.',
    confirmed_at: 'When the person confirmed it by mail.',
    is_update:
      'Whether it changes what was told before, by a link to the mailbox. An answer without a value was taken back.',
    held: 'Of a person who was erased and asks to come back: what they agreed to, until they confirm it.',
  },
  rows: submissionsOf,
};

const linksOf = `instance_id = $1 and email_key = any (
  array(select ${addressKey('given')} from unnest($2::text[]) as given))`;

const updateLinks: Collection = {
  name: 'form_update_links',
  about: 'Links to forms that were mailed to the person lately, to change what they had filled in.',
  columns: {
    id: 'Identifier of the link.',
    form_id: 'The form.',
    email: 'Where it was mailed to.',
    address: 'From which network address it was asked for.',
    created_at: 'When.',
    expires_at: 'Until when it works.',
    used_at: 'When it was used.',
  },
  // Few: so many are mailed to one address in a day, and they are kept for two.
  async *rows(db, { instance_id, emails }) {
    yield await db.query<PersonalRow>(
      `select id, form_id, email, host(address) as address, created_at, expires_at, used_at from form_update_links
       where ${linksOf} order by id`,
      [instance_id, emails],
    );
  },
};

/**
 * That a form was filled in stays; an unconfirmed one expires at once. A return that expired is found by what is held of it until
 * everything else is erased (`expired-returns.ts`). Of submissions by others, the answers that name the person are erased.
 */
async function erase(tx: Queryable, person: Person, place: string | undefined): Promise<ErasedBatch> {
  // First, and waiting for what is being sent by them: a link opens nothing from then on, and nothing more comes in by it.
  const links = await tx.query(`delete from form_update_links where ${linksOf} returning id`, [
    person.instance_id,
    person.emails,
  ]);
  const { found, next } = await nextSubmissions(tx, person, place);
  const theirs = found.filter(({ mentions }) => mentions === undefined);
  await tx.query(
    `update form_submissions set answers = '{}', address = null, user_agent = null,
       held = case when status = 'expired' then held end,
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
  return { rows: found.length + links.length, next };
}

export const personalData: PersonalData = {
  tables: ['form_submissions', 'form_update_links'],
  collect: [submissions, updateLinks],
  erase,
};
