/** From the smallest to the largest body. */
const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

/** By its `Content-Encoding`; `identity` is the content itself. */
export type EncodedBodies = Partial<Record<Encoding, Buffer>>;

/** The smallest body that the client takes (RFC 9110 §12.5.3; a quality of zero refuses). */
export function bodyFor(
  bodies: EncodedBodies,
  accepted: string | undefined,
): { encoding: Encoding; body: Buffer } {
  const takes = (encoding: Encoding): boolean =>
    encoding === 'identity' ||
    new RegExp(`(?:^|[\\s,])${encoding}(?!\\s*;\\s*q=0(?:\\.0*)?(?:\\s|,|$))(?:[\\s,;]|$)`, 'i').test(
      accepted ?? '',
    );
  for (const encoding of encodings) {
    const body = bodies[encoding];
    if (body && takes(encoding)) return { encoding, body };
  }
  throw new Error('There is no body to send.');
}
