import { createBatcher, lookUps } from '../base/db/batcher.ts';
import { columnsOf } from '../base/db/columns.ts';
import { copyInto, type BatchStep } from '../base/db/copy-in.ts';
import type { Queryable, Statement } from '../base/db/database.ts';

/** What names a call. */
export interface CallKey {
  instance_id: number;
  /** Of the operation and the caller's key, in the form of a UUID. */
  key_digest: string;
}

export interface KeptAnswer {
  body_digest: string;
  /** JSON. */
  answer: string;
}

export interface NewKeptAnswer extends CallKey, KeptAnswer {
  /** Whether the answer repeats refusals, which may name people. */
  has_errors: boolean;
}

/** Contract §16, by the time of the database. */
const keptFor = `interval '24 hours'`;

const insert = copyInto<NewKeptAnswer>('idempotency_keys', {
  instance_id: (to, { instance_id }) => to.bigint(instance_id),
  key_digest: (to, { key_digest }) => to.uuid(key_digest),
  body_digest: (to, { body_digest }) => to.uuid(body_digest),
  answer: (to, { answer }) => to.text(answer),
  has_errors: (to, { has_errors }) => to.boolean(has_errors),
});

/**
 * The last step of a commit. A key that another transaction holds makes this one wait, and from here on nothing else does:
 * the commit follows. In the order of the index, so that two commits with the same keys wait for each other in one direction.
 */
export function insertKeptAnswers(answers: NewKeptAnswer[]): BatchStep[] {
  return answers.length === 0 ? [] : [insert(answers.toSorted(byKey))];
}

function byKey(a: CallKey, b: CallKey): number {
  return a.instance_id - b.instance_id || (a.key_digest < b.key_digest ? -1 : 1);
}

/** A duplicate key: another call with it has been answered. */
export function isKeyTaken(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === '23505' && table === 'idempotency_keys';
}

const wanted = 'unnest($1::bigint[], $2::uuid[]) as w (instance_id, key_digest)';
const find: Statement = {
  name: 'idempotency_keys.find',
  text: `
    select k.instance_id, k.key_digest, k.body_digest, k.answer
    from ${wanted} join idempotency_keys k using (instance_id, key_digest)
    where k.created_at > now() - ${keptFor}`,
};

export type FindKeptAnswer = (key: CallKey) => Promise<KeptAnswer | undefined>;

/** Concurrent look-ups share a statement. */
export function createKeptAnswerLookup(db: Queryable): FindKeptAnswer {
  const run = async (keys: CallKey[]): Promise<(KeptAnswer | undefined)[]> => {
    const rows = await db.query<CallKey & KeptAnswer>(find, columnsOf(keys, ['instance_id', 'key_digest']));
    const found = new Map(rows.map((row) => [nameOf(row), row]));
    return keys.map((key) => found.get(nameOf(key)));
  };
  return createBatcher({ run, ...lookUps }).add;
}

/** Those of the keys that are taken. Makes room where the time of an answer is over and the job has not been there yet. */
export async function findTakenKeys(db: Queryable, keys: CallKey[]): Promise<ReadonlySet<string>> {
  const values = columnsOf(keys, ['instance_id', 'key_digest']);
  const rows = await db.query<CallKey>(find, values);
  await db.query(
    `delete from idempotency_keys k using ${wanted}
     where k.instance_id = w.instance_id and k.key_digest = w.key_digest and k.created_at <= now() - ${keptFor}`,
    values,
  );
  return new Set(rows.map(nameOf));
}

/** Of one key in a set. */
export function nameOf({ instance_id, key_digest }: CallKey): string {
  return `${instance_id} ${key_digest}`;
}
