import { domainToASCII } from 'node:url';
import { BoundedMap } from '../bounded-map.ts';

/** What a URL would take for something else than a name, or leave out of it. */
const urlSyntax = /[\p{Cc}\s%/?#\\]/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Most mail goes to few domains, and the mapping of UTS 46 takes longer than the rest of an address. */
const known = new BoundedMap<string, string | undefined>({ max_entries: 5_000 });
const maxKnown = 255;

/** The canonical form of a domain name: A-labels (UTS 46), lower case, no trailing dot; undefined when it is malformed. */
export function canonicalDomain(text: string): string | undefined {
  if (text.length > maxKnown) return map(text);
  const found = known.get(text);
  if (found !== undefined || known.has(text)) return found;
  const canonical = map(text);
  known.set(text, canonical);
  return canonical;
}

function map(text: string): string | undefined {
  // UTS 46 maps all four to a dot.
  const name = text.trim().replace(/[.。．｡]$/u, '');
  if (urlSyntax.test(name)) return undefined;
  const ascii = domainToASCII(name);
  const labels = ascii.split('.');
  // A last label of digits only would make it an address (RFC 3696 §2).
  const isName = labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return isName && ascii.length <= 253 ? ascii : undefined;
}
