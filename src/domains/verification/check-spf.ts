import { canonicalName, failed, shown, troubleReason, VERIFIED } from './check-result.ts';
import type { CheckResult, Lookup } from './check-result.ts';

/** RFC 7208 §4.6.4: receivers refuse records that need more look-ups. */
const MAX_QUERYING_TERMS = 10;

export async function checkSpf(
  { host, include }: { host: string; include: string },
  { resolver, signal }: Lookup,
): Promise<CheckResult> {
  const outcome = await resolver.txt(host, { signal });
  if (outcome.kind === 'trouble') return failed(troubleReason(`SPF (TXT of ${host})`, outcome.reason));
  const texts = outcome.kind === 'found' ? outcome.records : [];
  // §4.5: the version is a whole word; "v=spf10" is another.
  const [record, ...others] = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
  if (record === undefined)
    return failed(`No SPF record found at ${host}; publish a TXT with include:${include}`);
  if (others.length > 0)
    return failed(`${others.length + 1} SPF records found at ${host}; only one may exist (RFC 7208)`);
  const problem = problemOf(record, include);
  return problem === undefined ? VERIFIED : failed(`SPF found "${shown(record)}": ${problem}`);
}

function problemOf(record: string, include: string): string | undefined {
  const terms = record.split(/ +/).slice(1);
  const end = terms.findIndex((term) => /^[+\-~?]?all$/i.test(term));
  const read = end === -1 ? terms : terms.slice(0, end);
  if (!read.some((term) => includes(term, include, '+'))) {
    if (terms.some((term) => includes(term, include, '+')))
      return `include:${include} comes after "all", where it is never read`;
    if (read.some((term) => includes(term, include, '-~?')))
      return `include:${include} must have no qualifier other than "+"`;
    return `it has no include:${include}`;
  }
  const querying = read.filter(isQuerying).length;
  if (querying > MAX_QUERYING_TERMS)
    return `it has ${querying} terms that need a DNS lookup, more than the ${MAX_QUERYING_TERMS} allowed (RFC 7208)`;
  return undefined;
}

function includes(term: string, domain: string, qualifiers: string): boolean {
  const match = /^([+\-~?]?)include:(.+)$/i.exec(term);
  if (match === null || canonicalName(match[2] ?? '') !== canonicalName(domain)) return false;
  return qualifiers.includes(match[1] === '' ? '+' : (match[1] ?? '+'));
}

function isQuerying(term: string): boolean {
  return /^[+\-~?]?(?:include|a|mx|ptr|exists)(?:[:/]|$)/i.test(term) || /^redirect=/i.test(term);
}
