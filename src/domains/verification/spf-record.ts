import { canonicalName, type FoundProblem } from './check-result.ts';

/** RFC 7208 §4.6.4: receivers refuse records that need more look-ups. */
const maxQueryingTerms = 10;

/** RFC 7208 §4.5: the version is a whole word; "v=spf10" is another. */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

export function spfProblem(record: string, include: string): FoundProblem | undefined {
  const terms = record.split(/ +/).slice(1);
  const end = terms.findIndex((term) => /^[+\-~?]?all$/i.test(term));
  const read = end === -1 ? terms : terms.slice(0, end);
  if (!read.some((term) => includes(term, include, '+'))) {
    if (terms.some((term) => includes(term, include, '+')))
      return {
        code: 'spf_include_after_all',
        reason: `include:${include} comes after "all", where it is never read`,
      };
    if (read.some((term) => includes(term, include, '-~?')))
      return {
        code: 'spf_include_qualified',
        reason: `include:${include} must have no qualifier other than "+"`,
      };
    return { code: 'spf_include_missing', reason: `it has no include:${include}` };
  }
  const querying = read.filter(isQuerying).length;
  if (querying > maxQueryingTerms)
    return {
      code: 'spf_too_many_lookups',
      reason: `it has ${querying} terms that need a DNS lookup, more than the ${maxQueryingTerms} allowed (RFC 7208)`,
    };
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
