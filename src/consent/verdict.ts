export type ConsentVerdict = 'allow' | 'deny' | 'none';

/**
 * What each address has said about being written to for a purpose. No consent can be on record before there are
 * consent events, so nobody has said anything yet and a sender that requires consent reaches nobody.
 */
export async function resolveConsent(addresses: string[]): Promise<Map<string, ConsentVerdict>> {
  return new Map(addresses.map((address) => [address, 'none']));
}
