import { canonicalContact } from '../../base/contacts.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import type { CsvRow } from '../../protocol/csv/read-csv.ts';
import { type Answer, readAnswer } from '../../forms/index.ts';
import type { FileColumns } from './file-columns.ts';
import type { Refusal } from './import-schemas.ts';
import { readMoment } from './read-moment.ts';

export interface ContactLine {
  line: number;
  /** In canonical form. */
  email: string;
  consented_at: Date;
  answers: Record<string, Answer>;
}

interface Reading {
  columns: FileColumns;
  /** Of lines that do not say when. */
  consented_at: Date | null;
  now: Date;
}

/** A line of a file, or why it is refused. Blank cells say nothing. */
export function readLine({ line, cells }: CsvRow, reading: Reading): ContactLine | Refusal {
  const { columns } = reading;
  const given = cells[columns.email] ?? '';
  // U+FFFD marks bytes that are not UTF-8.
  const address = given.includes('\u{fffd}') ? undefined : canonicalAddress(given)?.address;
  if (address === undefined) return { line, reason: 'invalid_email', column: null };
  const consented_at = whenAgreed(cells[columns.consented_at], reading);
  if (typeof consented_at === 'string') return { line, reason: consented_at, column: null };
  const answers: Record<string, Answer> = {};
  for (const { at, field } of columns.fields) {
    const text = cells[at] ?? '';
    if (text === '') continue;
    const read = readAnswer(field, field.type === 'multiselect' ? severalOf(text) : text);
    if (!('answer' in read) || text.includes('\u{fffd}') || text.includes('\0')) {
      return { line, reason: 'invalid_value', column: field.field_key };
    }
    answers[field.field_key] = read.answer;
  }
  const email = canonicalContact({ contact_type: 'email_address', contact: address });
  return { line, email, consented_at, answers };
}

/** As exports write several options. */
function severalOf(text: string): string[] {
  if (text.startsWith('[')) {
    try {
      return JSON.parse(text) as string[];
    } catch {
      return [text];
    }
  }
  return text.split(/[|,;]/).map((part) => part.trim());
}

function whenAgreed(cell: string | undefined, { consented_at, now }: Reading): Date | Refusal['reason'] {
  if (!cell) return consented_at ?? 'consented_at_missing';
  const at = readMoment(cell);
  if (!at) return 'consented_at_invalid';
  return at > now ? 'consented_at_future' : at;
}
