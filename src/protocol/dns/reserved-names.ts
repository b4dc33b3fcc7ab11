/**
 * RFC 6761 §6 and RFC 6762 §3: names for tests and documentation, which cannot be delegated. A regular expression for
 * PostgreSQL as well as for us, of names in lower case.
 */
export const reservedNames = String.raw`(^|\.)(test|example|invalid|localhost|local|example\.(com|net|org))$`;

const pattern = new RegExp(reservedNames);

export function isReservedName(name: string): boolean {
  return pattern.test(name.toLowerCase().replace(/\.$/, ''));
}
