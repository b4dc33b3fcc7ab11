import type { FileHandle } from 'node:fs/promises';
import { hasAddress, nameOf, type Entry } from '../../compat/import/suppressed-entry.ts';
import { isObject } from '../../compat/import/exported-template.ts';
import { readCsv } from '../../protocol/csv/read-csv.ts';
import { formatBytes, withProgress } from '../progress.ts';

/** JSON is read as a whole, CSV as it flows. */
const maxJsonBytes = 64 * 1024 * 1024;
const maxCsvBytes = 1024 * 1024 * 1024;

interface PlacedEntry {
  /** Line of a CSV file, place in a JSON file, counted from 1. */
  line: number;
  entry: Entry;
}

export type ImportSource =
  | { kind: 'csv'; entries: AsyncGenerator<PlacedEntry> }
  | { kind: 'json'; items: unknown[] };

/** An export by its content: JSON begins with a bracket, anything else is CSV. */
export async function openSource(file: FileHandle, path: string): Promise<ImportSource> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(1024), position: 0 });
  const isJson = /^\u{feff}?\s*[[{]/u.test(buffer.toString('utf8', 0, bytesRead));
  const max_bytes = isJson ? maxJsonBytes : maxCsvBytes;
  if (size > max_bytes) throw new Error(`${path} has more than ${formatBytes(max_bytes)}.`);
  // A file that grows meanwhile is not read further.
  const stream = file.createReadStream({ start: 0, end: max_bytes - 1, autoClose: false });
  const pieces = withProgress(stream, { work: path, total: size });
  return isJson
    ? { kind: 'json', items: await readJson(pieces, path) }
    : { kind: 'csv', entries: csvEntries(pieces, path) };
}

async function readJson(pieces: AsyncIterable<Uint8Array>, path: string): Promise<unknown[]> {
  const gathered: Uint8Array[] = [];
  for await (const piece of pieces) gathered.push(piece);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(gathered));
    return itemsOf(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path} is not JSON in UTF-8.`, { cause: error });
  }
}

const wrappers = [
  'data',
  'result',
  'results',
  'templates',
  'Templates',
  'Suppressions',
  'suppressions',
  'Bounces',
];

/** A list, the list of an answer, or the one thing itself. */
function itemsOf(json: unknown): unknown[] {
  if (Array.isArray(json)) return json;
  if (!isObject(json)) return [json];
  const wrapped = wrappers.map((name) => json[name]).find((value) => Array.isArray(value) || isObject(value));
  return wrapped === undefined ? [json] : itemsOf(wrapped);
}

async function* csvEntries(pieces: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<PlacedEntry> {
  let columns: string[] | undefined;
  for await (const { line, cells } of readCsv(pieces)) {
    if (columns === undefined) {
      columns = cells.map(nameOf);
      if (!hasAddress(columns))
        throw new Error(`${path} does not begin with the names of its columns, one of them email.`);
      continue;
    }
    const names = columns;
    yield {
      line,
      entry: new Map(cells.flatMap((cell, at) => (names[at] ? [[names[at], cell] as const] : []))),
    };
  }
}

/** An item of JSON as a row of CSV would be; undefined when it has no address. */
export function entryOf(item: unknown): Entry | undefined {
  if (!isObject(item)) return undefined;
  const entry = new Map(
    Object.entries(item).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[nameOf(name), String(value)] as const] : [],
    ),
  );
  return hasAddress([...entry.keys()]) ? entry : undefined;
}
