/** `1 mail`, `40 mails`: the number as it is already written, beside the word in its number. English and Spanish agree. */
export function counted(count: string, one: string, other: string): string {
  return `${count} ${count === '1' ? one : other}`;
}
