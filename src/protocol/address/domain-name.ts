import { domainToASCII } from 'node:url';

/** What a URL would take for something else than a name, or leave out of it. */
const urlSyntax = /[\p{Cc}\s%/?#\\]/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** The canonical form of a domain name: A-labels (UTS 46), lower case, no trailing dot; undefined when it is none. */
export function canonicalDomain(text: string): string | undefined {
  const name = text.trim().replace(/[.。]$/, '');
  if (urlSyntax.test(name)) return undefined;
  const ascii = domainToASCII(name);
  const labels = ascii.split('.');
  // A last label of digits alone would make it an address (RFC 3696 §2).
  const isName = labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return isName && ascii.length <= 253 ? ascii : undefined;
}
