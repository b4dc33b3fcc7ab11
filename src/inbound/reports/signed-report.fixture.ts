import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import type { DnsServer } from '../../../test/support/dns-server.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const selector = 'reports';

/** Publishes the key that `signAs` signs with. */
export function publishKey(dns: DnsServer, domain: string): void {
  dns.set(`${selector}._domainkey.${domain}`, 'TXT', [`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]);
}

/** With `maxBodyLength` only the beginning of the body is signed. */
export async function signAs(
  signingDomain: string,
  raw: Buffer,
  how: { maxBodyLength?: number; algorithm?: string } = {},
): Promise<Buffer> {
  const signer = { signingDomain, selector, privateKey, ...how };
  const { signatures } = await dkimSign(raw, { ...signer, signatureData: [signer] });
  return Buffer.concat([Buffer.from(signatures), raw]);
}
