import { addressParser } from 'postal-mime';

export interface HeaderAddress {
  /** As written; empty where there is only a name. */
  address: string;
  name: string;
}

// Nothing in these forms has a meaning beyond itself: no comment, group, escape or encoded word.
const bare = /^[\w.+-]+@[\w.-]+$/;
const named = /^(?:"([\w .'+-]*)" *|([\w .'+-]*))<([\w.+-]+@[\w.-]+)>$/;

/**
 * The mailboxes of a From, To or Cc header, those of groups among the others. Nearly all headers have the plain forms
 * `a@b.c`, `Name <a@b.c>` and `"Name" <a@b.c>`, which are read here in a tenth of the parser's time.
 */
export function readAddresses(value: string): HeaderAddress[] {
  const found: HeaderAddress[] = [];
  for (const part of value.split(',')) {
    const mailbox = readPlain(part.trim());
    if (mailbox === undefined) return readAny(value);
    found.push(mailbox);
  }
  return found;
}

function readPlain(text: string): HeaderAddress | undefined {
  if (bare.test(text)) return { address: text, name: '' };
  const [, quoted, unquoted, address] = named.exec(text) ?? [];
  return address === undefined ? undefined : { address, name: (quoted ?? unquoted ?? '').trim() };
}

function readAny(value: string): HeaderAddress[] {
  return addressParser(value, { flatten: true }).map(({ address = '', name }) => ({ address, name }));
}
