const alphabet = /^[A-Za-z0-9+/]+={0,2}$/;

/** The octets that strict base64 (RFC 4648 §4) stands for; undefined when it is anything else. */
export function decodeBase64(text: string): Buffer | undefined {
  if (text.length === 0 || text.length % 4 !== 0 || !alphabet.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  // Leftover bits must be zero: of several spellings of the same octets one is right (RFC 4648 §3.5).
  const tail = text.slice(-4);
  return Buffer.from(tail, 'base64').toString('base64') === tail ? bytes : undefined;
}
