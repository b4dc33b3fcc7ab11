/** RFC 6761 §6 and RFC 6762 §3: names for tests and documentation, which nobody can delegate. */
const pattern = /(^|\.)(test|example|invalid|localhost|local|example\.(com|net|org))$/;

export function isReservedName(name: string): boolean {
  return pattern.test(name.toLowerCase().replace(/\.$/, ''));
}
