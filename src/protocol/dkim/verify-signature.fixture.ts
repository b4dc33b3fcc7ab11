import { createPublicKey, type KeyObject } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** What another implementation says of the first signature, in its strict mode: `pass`, `fail`, `neutral` … */
export async function verdictOn(message: Buffer | string, key: KeyObject): Promise<string> {
  const record = keyRecord(key);
  const { results } = await dkimVerify(message, {
    strict: true,
    resolver: async () => [[record]],
  });
  return results[0]?.status?.result ?? 'none';
}

function keyRecord(key: KeyObject): string {
  const publicKey = createPublicKey(key);
  if (publicKey.asymmetricKeyType === 'ed25519') {
    const { x = '' } = publicKey.export({ format: 'jwk' });
    return `v=DKIM1; k=ed25519; p=${Buffer.from(x, 'base64url').toString('base64')}`;
  }
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
}
