import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { rooms } from '../src/rights/personal-data.ts';

interface Entry {
  room?: string;
  kept?: string;
  personal?: string[];
  other?: string[];
}

const folder = path.resolve(import.meta.dirname, '../database');
const schema = readFileSync(path.join(folder, 'schema.sql'), 'utf8');
const { tables } = JSON.parse(readFileSync(path.join(folder, 'personal-data.json'), 'utf8')) as {
  tables: Record<string, Entry>;
};

/** Columns that can hold words, by table. Numbers, times and flags say nothing about a person without them. */
function columnsThatHoldText(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, table = '', body = ''] of schema.matchAll(/^CREATE TABLE (\w+) \(\n([^]*?)^\)/gm)) {
    const columns = [...body.matchAll(/^ {2}"?(\w+)"? (?:text|jsonb|bytea|inet)\b/gm)].map(
      ([, name = '']) => name,
    );
    if (columns.length > 0) found.set(table, columns);
  }
  return found;
}

test('every column that can hold words is known to have data about persons, or none', () => {
  const columns = columnsThatHoldText();
  assert.ok(columns.size > 30, `${columns.size} tables`);
  assert.deepEqual(Object.keys(tables).toSorted(), [...columns.keys()].toSorted());
  for (const [table, { personal = [], other = [] }] of Object.entries(tables)) {
    assert.deepEqual([...personal, ...other].toSorted(), columns.get(table)?.toSorted(), table);
  }
});

test('every table with personal data is collected and erased by its room, or kept on a legal ground', () => {
  const personal = Object.entries(tables).filter(([, entry]) => entry.personal);
  assert.ok(personal.length > 15, `${personal.length} tables`);
  const answered = new Set(rooms.flatMap((room) => room.tables));
  for (const [table, { room, kept }] of personal) {
    assert.ok(answered.has(table) === (room !== undefined), `${table}: nobody collects it`);
    assert.ok(room !== undefined || kept !== undefined, `${table}: neither erased nor kept on a ground`);
  }
  const known = new Set(personal.map(([table]) => table));
  assert.deepEqual(
    [...answered].filter((table) => !known.has(table)),
    [],
  );
});

test('a room that answers for a table erases it, unless it is kept', () => {
  for (const { tables: owned, erase, eraseOfMails } of rooms) {
    const toErase = owned.filter((table) => tables[table]?.kept === undefined);
    assert.ok(toErase.length === 0 || erase !== undefined || eraseOfMails !== undefined, owned.join(', '));
  }
});
