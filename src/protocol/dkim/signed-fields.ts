/**
 * Signed once more than they occur, so that another one added on the way breaks the signature (RFC 6376 §8.15):
 * a message has each of them once at most, and what readers see hangs on them.
 */
const sealed = [
  'from',
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
 * alone still puts its own List-* fields on top. RFC 8058 §4 wants the unsubscribe pair signed.
 */
const sealedWherePresent = [
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-id',
  'feedback-id',
  'sender',
  'in-reply-to',
  'references',
] as const;

const usual = new Set<string>([...sealed, ...sealedWherePresent]);

export interface SignedFields {
  /** For `h=`, in its order. */
  names: string[];
  /** The fields so named as `relaxed` has them, one octet to a character, each with its CRLF. */
  canonical: string;
}

/** Chooses what to sign of a header block: the usual fields, and `further` ones where they occur. */
export function selectFields(header: Buffer | string, further: readonly string[] = []): SignedFields {
  const more = further.map((name) => name.toLowerCase()).filter((name) => !usual.has(name));
  const fields = fieldsByName(header, more.length === 0 ? usual : new Set([...usual, ...more]));
  const names: string[] = sealed.flatMap((name) => namesFor(name, fields) ?? name);
  for (const name of [...sealedWherePresent, ...more]) names.push(...(namesFor(name, fields) ?? []));
  return { names, canonical: canonicalFields(names, fields) };
}

/** What a signature with this `h=` covers: each mention of a name stands for the lowest field not yet taken. */
export function namedFields(header: Buffer | string, names: readonly string[]): SignedFields {
  const lowerCase = names.map((name) => name.toLowerCase());
  const fields = fieldsByName(header, new Set(lowerCase));
  return { names: lowerCase, canonical: canonicalFields(lowerCase, fields) };
}

/** RFC 6376 §3.4.2. The CRLFs inside a field always have a blank after them, so both can be taken as one run. */
export function relaxField(field: string): string {
  const colon = field.indexOf(':');
  const value = field.slice(colon + 1).replaceAll(/(?:\r\n|[ \t])+/g, ' ');
  const start = value.startsWith(' ') ? 1 : 0;
  const end = value.endsWith(' ') ? -1 : value.length;
  return `${fieldName(field, colon)}:${value.slice(start, end)}`;
}

function namesFor(name: string, fields: Map<string, string[]>): string[] | undefined {
  const occurrences = fields.get(name)?.length;
  return occurrences === undefined ? undefined : Array.from({ length: occurrences + 1 }, () => name);
}

function canonicalFields(names: readonly string[], fields: Map<string, string[]>): string {
  const taken = new Map<string, number>();
  let canonical = '';
  for (const name of names) {
    const above = taken.get(name) ?? 0;
    taken.set(name, above + 1);
    const field = fields.get(name)?.at(-1 - above);
    if (field !== undefined) canonical += `${relaxField(field)}\r\n`;
  }
  return canonical;
}

function fieldsByName(header: Buffer | string, wanted: ReadonlySet<string>): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const field of octets(header).split(/\r\n(?![ \t])/)) {
    const colon = field.indexOf(':');
    const name = fieldName(field, colon);
    if (colon === -1 || !wanted.has(name)) continue;
    const others = fields.get(name);
    if (others === undefined) fields.set(name, [field]);
    else others.push(field);
  }
  return fields;
}

/** Blanks may stand before the colon (RFC 5322 §4.5). */
function fieldName(field: string, colon: number): string {
  return field
    .slice(0, Math.max(colon, 0))
    .replace(/(?:\r\n|[ \t])+$/, '')
    .toLowerCase();
}

/** One character for each octet: fields may be UTF-8 (RFC 6532) or anything else, and are signed as they are sent. */
function octets(header: Buffer | string): string {
  return (typeof header === 'string' ? Buffer.from(header) : header).toString('latin1');
}
