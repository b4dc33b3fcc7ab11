/** Texts of examples and templates. They stand in many installations, so that keys derived from them are known. */
const placeholder =
  /(?:change|replace)[-_ ]?(?:me|this|it)|place[-_ ]?holder|your[-_ ]?(?:root[-_ ]?)?secret|(?:my|super|top)[-_ ]?secret|s3cr3t|pass[-_ ]?w(?:or)?d|example|default|insecure|lorem[-_ ]?ipsum|correct[-_ ]?horse|qwerty|letmein|0123456789|123456789|abcdefgh/i;

const minLength = 32;
/** A random text of 32 hexadecimal digits has fewer of either once in ten million times. */
const minDistinct = 8;
const minBits = 80;

/** What is wrong with a root secret that could be guessed; undefined for all others. */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < minLength) return `must have at least ${minLength} characters`;
  if (placeholder.test(secret)) return 'must not be the placeholder of an example';
  const isVaried = new Set(secret).size >= minDistinct && bitsOf(secret) >= minBits && !isRepeated(secret);
  return isVaried ? undefined : 'must be random: this one has too little variety';
}

/** Shannon entropy of the characters, for the whole text. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const entropy = [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
  return entropy * text.length;
}

/** Whether a shorter text is repeated to make this one, the last time perhaps in part. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}
