/**
 * Signed once more than they occur, so that another one added on the way breaks the signature (RFC 6376 §8.15):
 * a message has each of them once at most, and what readers see hangs on them.
 */
const sealed = [
  'from',
  'sender',
  'subject',
  'to',
  'cc',
  'reply-to',
  'date',
  'message-id',
  'mime-version',
  'content-type',
] as const;

/**
 * The same where they occur. Where they do not, they may be added: a mailing list that leaves the rest of a message
 * only still puts its own List-* fields on top. RFC 8058 §4 wants the unsubscribe pair signed.
 */
const sealedWherePresent = [
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-id',
  'feedback-id',
  'in-reply-to',
  'references',
] as const;

const oversigned: ReadonlySet<string> = new Set(sealed);
const usual: ReadonlySet<string> = new Set([...sealed, ...sealedWherePresent]);

export interface SignedFields {
  /** For `h=`, in its order. */
  names: string[];
  /** The fields so named as `relaxed` has them, one octet to a character, each with its CRLF. */
  canonical: string;
}

/** Chooses what to sign of a header block: the usual fields, and `further` ones where they occur. */
export function selectFields(header: Buffer | string, further: readonly string[] = []): SignedFields {
  const wanted =
    further.length === 0 ? usual : new Set([...usual, ...further.map((name) => name.toLowerCase())]);
  const fields = fieldsByName(header, wanted);
  const names: string[] = [];
  let canonical = '';
  for (const name of wanted) {
    const found = fields.get(name);
    if (found === undefined && !oversigned.has(name)) continue;
    // The lowest first (RFC 6376 §5.4.2), then one that is not there.
    for (const field of found?.toReversed() ?? []) {
      names.push(name);
      canonical += `${relaxField(field, name)}\r\n`;
    }
    names.push(name);
  }
  return { names, canonical };
}

/** What a signature with this `h=` covers: each mention of a name stands for the lowest field not yet taken. */
export function namedFields(header: Buffer | string, names: readonly string[]): SignedFields {
  const lowerCase = names.map((name) => name.toLowerCase());
  const fields = fieldsByName(header, new Set(lowerCase));
  const taken = lowerCase.map((name) => fields.get(name)?.pop());
  const canonical = taken.map((field) => (field === undefined ? '' : `${relaxField(field)}\r\n`));
  return { names: lowerCase, canonical: canonical.join('') };
}

/** RFC 6376 §3.4.2. The CRLFs inside a field always have a blank after them, so both can be taken as one run. */
export function relaxField(field: string, name = nameOf(field)): string {
  const value = field.slice(field.indexOf(':') + 1);
  // Most fields are as they should be, and looking for that takes a tenth of rewriting them.
  const relaxed = /\r\n|\t| {2}/.test(value) ? value.replaceAll(/(?:\r\n|[ \t])+/g, ' ') : value;
  const start = relaxed.startsWith(' ') ? 1 : 0;
  const end = relaxed.endsWith(' ') ? -1 : relaxed.length;
  return `${name}:${relaxed.slice(start, end)}`;
}

function fieldsByName(header: Buffer | string, wanted: ReadonlySet<string>): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  const text = octets(header);
  for (let start = 0; start < text.length;) {
    const end = endOfField(text, start);
    const field = text.slice(start, end);
    start = end + 2;
    const name = nameOf(field);
    if (!wanted.has(name)) continue;
    const others = fields.get(name);
    if (others === undefined) fields.set(name, [field]);
    else others.push(field);
  }
  return fields;
}

/** At the CRLF that no blank follows. */
function endOfField(text: string, start: number): number {
  let end = text.indexOf('\r\n', start);
  while (end !== -1 && isBlank(text[end + 2])) end = text.indexOf('\r\n', end + 2);
  return end === -1 ? text.length : end;
}

/** Blanks may stand before the colon (RFC 5322 §4.5). */
function nameOf(field: string): string {
  const name = field.slice(0, Math.max(0, field.indexOf(':'))).toLowerCase();
  return isBlank(name.at(-1)) ? name.replace(/(?:\r\n|[ \t])+$/, '') : name;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** One character for each octet: fields may be UTF-8 (RFC 6532) or anything else, and are signed as they are sent. */
function octets(header: Buffer | string): string {
  return (typeof header === 'string' ? Buffer.from(header) : header).toString('latin1');
}
