/** Headers that Chasqui writes anyway: the libraries of frameworks send them along, and they are left out. */
const written: ReadonlySet<string> = new Set([
  'content-transfer-encoding',
  'date',
  'message-id',
  'mime-version',
]);

export function isWritten(header: string): boolean {
  return written.has(header.toLowerCase());
}
