import { contactTypes, type ContactType } from '../base/contacts.ts';
import { escapePointer } from '../base/http/violations.ts';
import { addressesIn, type Recognises, withMark } from '../base/recognise.ts';

/** Stands where a line names a person who is blocked. */
export const blockedText = '[blocked]';

/** What a line of the audit log says, apart from who did what and when, which names no person. */
export interface LineWords {
  object_kind: string;
  object_id: string | null;
  details: object;
}

/** A line without a person, and what it said about them, by JSON pointer (RFC 6901). */
export interface NamedInLine {
  words: LineWords;
  said: Record<string, string>;
}

/** Members of details that hold one identifier. Codes and numbers are looked for in these and nowhere else. */
const contactMembers: ReadonlyMap<string, readonly ContactType[]> = new Map<string, readonly ContactType[]>([
  ['contact', contactTypes],
  ['phone', ['phone_number']],
  ['phone_number', ['phone_number']],
  ['uniquecode', ['uniquecode']],
]);
/** Members with words of people, which a line that names a person says about that person. */
const wordMembers: ReadonlySet<string> = new Set(['detail', 'reason', 'note', 'comment']);

/** Details are made by `recordAudit`, and are never deep. */
const maxDepth = 20;

interface Reading {
  recognises: Recognises;
  mark: string;
  said: Record<string, string>;
  /** Whether the line names the person, so that its words are about them. */
  isNamed: boolean;
}

/** Undefined where the line does not name the person. Role, scope and every other member that is not a contact stay. */
export function withoutPerson(
  line: LineWords,
  recognises: Recognises,
  mark: string,
): NamedInLine | undefined {
  const search: Reading = { recognises, mark, said: {}, isNamed: false };
  readLine(line, search);
  if (Object.keys(search.said).length === 0) return undefined;
  const said = {};
  return { words: readLine(line, { recognises, mark, said, isNamed: true }), said };
}

function readLine(line: LineWords, reading: Reading): LineWords {
  const object_id = readObject(line, reading);
  return { ...line, object_id, details: readValue(line.details, [], reading) as object };
}

/** Lines of older versions have the contact whose evidence was read as their object. */
function readObject(
  { object_kind, object_id }: LineWords,
  { recognises, mark, said }: Reading,
): string | null {
  if (object_kind !== 'contact' || object_id === null) return object_id;
  if (!isContact(object_id, contactTypes, recognises)) return object_id;
  said['/object_id'] = object_id;
  return mark;
}

function readValue(value: unknown, path: string[], reading: Reading): unknown {
  if (typeof value === 'string') return readText(value, path, reading);
  if (typeof value !== 'object' || value === null || path.length > maxDepth) return value;
  if (Array.isArray(value))
    return value.map((each, index) => readValue(each, [...path, String(index)], reading));
  const { contact_type } = value as { contact_type?: unknown };
  const type = contactTypes.find((each) => each === contact_type);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'contact' && type !== undefined && typeof each === 'string'
        ? readContact(each, [...path, name], { ...reading, types: [type] })
        : readValue(each, [...path, name], reading),
    ]),
  );
}

function readText(text: string, path: string[], reading: Reading): string {
  // An index is not a name: `contact` of a filter may be a list.
  const member = path.findLast((name) => !/^\d+$/.test(name)) ?? '';
  if (reading.isNamed && wordMembers.has(member)) return take(text, path, reading);
  return readContact(text, path, { ...reading, types: contactMembers.get(member) ?? [] });
}

function readContact(
  text: string,
  path: string[],
  reading: Reading & { types: readonly ContactType[] },
): string {
  const { recognises, mark, said, types } = reading;
  if (isContact(text, types, recognises)) return take(text, path, reading);
  const places = addressesIn(text, recognises);
  if (places.length === 0) return text;
  // The addresses are given out, and not what stands around them.
  said[pointerTo(path)] = places.map(({ start, end }) => text.slice(start, end)).join(', ');
  return withMark(text, places, mark);
}

function take(text: string, path: string[], { mark, said }: Reading): string {
  said[pointerTo(path)] = text;
  return mark;
}

/** A text without its type is an address where it has the form of one, and a number or a code elsewhere. */
function isContact(contact: string, types: readonly ContactType[], recognises: Recognises): boolean {
  const possible = types.length > 1 && contact.includes('@') ? (['email_address'] as const) : types;
  return possible.some((contact_type) => recognises({ contact_type, contact }));
}

function pointerTo(path: string[]): string {
  return path.map((name) => `/${escapePointer(name)}`).join('');
}
