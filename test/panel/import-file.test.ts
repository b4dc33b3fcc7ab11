import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  importFile,
  refusedAsCsv,
  type ImportReport,
} from '../../panel/src/pages/suppressions/import-file.ts';
import { splitCsv } from '../../panel/src/pages/suppressions/split-csv.ts';

const rows = (count: number): string[] =>
  Array.from({ length: count }, (_each, index) => `a${index}@example.com`);
const never = () => ({ onProgress: () => undefined, signal: new AbortController().signal });

test('a file is cut between rows, and the names of its columns stand before each part', () => {
  const batches = splitCsv(`email,detail\n${rows(4).join('\r\n')}`, 2);
  assert.deepEqual(
    batches.map(({ csv }) => csv),
    [
      'email,detail\na0@example.com\r\n',
      'email,detail\na1@example.com\r\na2@example.com\r\n',
      'email,detail\na3@example.com',
    ],
  );
});

test('a file without column names repeats nothing', () => {
  const batches = splitCsv(rows(3).join('\n'), 2);
  assert.deepEqual(
    batches.map(({ csv }) => csv),
    ['a0@example.com\na1@example.com\n', 'a2@example.com'],
  );
});

test('a line end inside of quotes ends no row, and a stray quote opens none', () => {
  const batches = splitCsv('a@example.com,"two\nlines, ""quoted"""\nb@example.com,5" pipe\nc@example.com', 1);
  assert.deepEqual(
    batches.map(({ csv, lines_before }) => [csv, lines_before]),
    [
      ['a@example.com,"two\nlines, ""quoted"""\n', 0],
      ['b@example.com,5" pipe\n', 2],
      ['c@example.com', 3],
    ],
  );
});

test('refused lines keep the numbers of the file over all parts', async () => {
  const file = ['email', ...rows(5_001), 'wrong', ...rows(5_000)].join('\n');
  const sent: string[] = [];
  const shares: number[] = [];
  const send = async (csv: string): Promise<ImportReport> => {
    sent.push(csv);
    const lines = csv.split('\n').filter(Boolean);
    const at = lines.indexOf('wrong');
    const refused = at === -1 ? [] : [{ line: at + 1, value: 'wrong', reason: 'invalid_email' as const }];
    const read = lines.length - 1;
    return { rows: read, added: read - refused.length, already_restricted: 0, refused };
  };
  const report = await importFile(file, send, { ...never(), onProgress: ({ share }) => shares.push(share) });
  assert.equal(sent.length, 3);
  assert.deepEqual([report.rows, report.added], [10_002, 10_001]);
  assert.deepEqual(report.refused, [{ line: 5_003, value: 'wrong', reason: 'invalid_email' }]);
  assert.equal(shares.at(-1), 1);
});

test('a first row that is neither address nor names is told of once', async () => {
  const file = ['nonsense', ...rows(10_000)].join('\n');
  const send = async (csv: string): Promise<ImportReport> => {
    const read = csv.split('\n').filter(Boolean).length;
    const refused = [{ line: 1, value: 'nonsense', reason: 'invalid_email' as const }];
    return { rows: read, added: read - 1, already_restricted: 0, refused };
  };
  const report = await importFile(file, send, never());
  assert.deepEqual([report.rows, report.added, report.refused.length], [10_001, 10_000, 1]);
});

test('an import that is given up ends after the part under way', async () => {
  const stop = new AbortController();
  let sent = 0;
  const send = async (): Promise<ImportReport> => {
    sent += 1;
    stop.abort();
    return { rows: 5_000, added: 5_000, already_restricted: 0, refused: [] };
  };
  const report = await importFile(rows(20_000).join('\n'), send, { ...never(), signal: stop.signal });
  assert.deepEqual([sent, report.added], [1, 5_000]);
});

test('the refused lines are a file again', () => {
  const csv = refusedAsCsv([{ line: 3, value: 'a "b"', reason: 'invalid_email' }]);
  assert.equal(csv, 'line,value,problem\r\n3,"a ""b""",invalid_email\r\n');
});
