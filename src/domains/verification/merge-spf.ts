import { canonicalName } from './check-result.ts';
import { isSpfRecord, spfProblem } from './spf-record.ts';

/** Four strings of 255 bytes: longer answers no longer fit one datagram. */
const maxLength = 1_020;

/**
 * One SPF record that authorises all that the published ones do, and the platform. Undefined where that would not verify
 * either, such as beyond ten look-ups.
 */
export function mergeSpf(published: string[], include: string): string | undefined {
  const terms = published.filter(isSpfRecord).flatMap((record) => record.trim().split(/ +/).slice(1));
  // What receivers ignore or refuse is not for copying.
  if (!terms.every((term) => /^[\x21-\x7e]+$/.test(term))) return undefined;
  const end = terms.find(isAll) ?? terms.find(isRedirect) ?? '~all';
  const kept = terms.filter((term) => !isAll(term) && !isRedirect(term) && !includes(term, include));
  const unique = [...new Map(kept.map((term) => [term.toLowerCase(), term])).values()];
  const merged = ['v=spf1', ...unique, `include:${include}`, end].join(' ');
  return merged.length <= maxLength && spfProblem(merged, include) === undefined ? merged : undefined;
}

/** RFC 7208 §6.1: "all" makes a redirect void. */
const isAll = (term: string): boolean => /^[+\-~?]?all$/i.test(term);
const isRedirect = (term: string): boolean => /^redirect=/i.test(term);

function includes(term: string, domain: string): boolean {
  const [, name] = /^[+\-~?]?include:(.+)$/i.exec(term) ?? [];
  return name !== undefined && canonicalName(name) === canonicalName(domain);
}
