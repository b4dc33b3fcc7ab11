export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * JSON Canonicalization Scheme (RFC 8785): no blanks, members sorted by UTF-16 code units, strings and numbers as
 * ECMAScript prints them.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as Json)}`);
  return `{${members.join(',')}}`;
}
