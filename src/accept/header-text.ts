import { type Problem, validationProblem } from '../base/errors/problem.ts';
import { decodeWords } from '../protocol/mime/decode-words.ts';
import type { HeaderBlock } from '../protocol/mime/header-block.ts';

export function malformed(message: string): Problem {
  return validationProblem([{ pointer: '', code: 'value_error.message', message }]);
}

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/g;
const plain = /^[\x20-\x7e]*$/;

/** Octets that one character can take in a header, as an encoded word of its own. */
const octetsPerCharacter = 40;

/** The decoded text of a field, empty when absent. */
export function readText(header: HeaderBlock, name: string, most: number): string {
  const field = header.fields.find((each) => each.name === name);
  return field ? textOf(field, most) : '';
}

/** The decoded text of this field. */
export function textOf({ name, value }: HeaderBlock['fields'][number], most: number): string {
  const text = value.length > most * octetsPerCharacter ? value : printable(decodeWords(value));
  if (isLonger(text, most)) throw malformed(`The ${name} has more than ${most} characters.`);
  return text;
}

/**
 * Encoded words can contain NUL and other controls, which neither headers nor PostgreSQL accept: they become blanks.
 */
export function printable(text: string): string {
  return plain.test(text) ? text : text.replaceAll(controls, ' ').toWellFormed();
}

/** In characters, of which a text has at most as many as code units. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && Array.from(text).length > most;
}
