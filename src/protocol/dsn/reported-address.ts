const longest = 320;

/** `rfc822; <ana@example.com>` without its type and dress (RFC 3464 §2.1.2, RFC 6533 §3). */
export function reportedAddress(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value
    .slice(0, 2 * longest)
    .replace(/^[\w-]{1,40}\s*;/, '')
    .trim();
  const bare = /<([^<>]*)>/.exec(text)?.[1] ?? text.replace(/\s.*$/, '');
  const address = decapsulated(bare.replace(/^mailto:/i, '').trim());
  return address === '' || address.length > longest ? undefined : address;
}

/**
 * Exchange wraps addresses of other systems, `IMCEASMTP-ana+40example+2Ecom@corp.example`: letters stand
 * for themselves, the rest in hex after a plus sign.
 */
function decapsulated(address: string): string {
  const wrapped = /^IMCEA(?:SMTP|INVALID|MAILTO)-(.{1,300})@[^@]+$/i.exec(address)?.[1];
  if (wrapped === undefined) return address;
  const inside = wrapped.replaceAll(/\+([\da-f]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return inside.includes('@') ? inside : address;
}

const address =
  /[\w!#$%&'*+/=?^`{|}~.\u0080-\u{10ffff}-]{1,64}@[\w\u0080-\u{10ffff}.-]{1,253}[\w\u0080-\u{10ffff}]/gu;

/** The addresses that stand in a text. */
export function addressesIn(text: string, most: number): string[] {
  const found: string[] = [];
  for (const [match] of text.matchAll(address)) {
    if (!found.includes(match)) found.push(match);
    if (found.length === most) break;
  }
  return found;
}
