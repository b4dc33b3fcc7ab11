import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Queryable } from '../base/db/database.ts';
import type { FairLimiter } from '../base/fair-limiter.ts';
import type { RootSecret } from '../base/secrets.ts';
import { dkimSelectors, type DkimSelector } from './zone/platform-names.ts';

const generate = promisify(generateKeyPair);
const use = 'dkim';

export interface NewDkimKey {
  selector: DkimSelector;
  public_key: string;
  /** Encrypted. */
  private_key: Buffer;
}

/** Binds the ciphertext to its row, so that keys cannot be swapped. */
const contextOf = (token: string, selector: DkimSelector): string => `${token}/${selector}`;

export interface KeyMaking {
  secret: RootSecret;
  /**
   * Fair queue between instances: generation occupies a thread for a second, and sign-ins and signatures need the
   * others.
   */
  limiter?: FairLimiter | undefined;
}

/** Two RSA-2048 keys: one signs, the other is published for the next rotation. */
export async function generateDkimKeys(ownershipToken: string, { secret }: KeyMaking): Promise<NewDkimKey[]> {
  const keys: NewDkimKey[] = [];
  // Sequentially, so that a domain uses one thread.
  for (const selector of dkimSelectors) {
    const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    keys.push({
      selector,
      public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      private_key: secret.encrypt(use, der, contextOf(ownershipToken, selector)),
    });
  }
  return keys;
}

export async function insertDkimKeys(tx: Queryable, domainId: number, keys: NewDkimKey[]): Promise<void> {
  await tx.query(
    `insert into dkim_keys (domain_id, selector, public_key, private_key, is_signing)
     select $1, selector, public_key, private_key, selector = 's1'
     from unnest($2::text[], $3::text[], $4::bytea[]) as key (selector, public_key, private_key)`,
    [
      domainId,
      ...(['selector', 'public_key', 'private_key'] as const).map((part) => keys.map((key) => key[part])),
    ],
  );
}

/** The other key signs from now on. Both stay published, so mail in transit still verifies. */
export async function switchSigningKey(tx: Queryable, domainId: number): Promise<DkimSelector | undefined> {
  // The unique index allows one signing key at any time.
  const [former] = await tx.query<{ selector: DkimSelector }>(
    'update dkim_keys set is_signing = false where domain_id = $1 and is_signing returning selector',
    [domainId],
  );
  const [current] = await tx.query<{ selector: DkimSelector }>(
    'update dkim_keys set is_signing = true where domain_id = $1 and selector <> $2 returning selector',
    [domainId, former?.selector ?? 's1'],
  );
  return current?.selector;
}

export interface SigningKey {
  selector: DkimSelector;
  key: KeyObject;
}

/** Undefined for a domain without keys, such as the sandbox domain. */
export async function loadSigningKey(
  db: Queryable,
  domainId: number,
  secret: RootSecret,
): Promise<SigningKey | undefined> {
  const [row] = await db.query<{ selector: DkimSelector; private_key: Buffer; ownership_token: string }>(
    `select k.selector, k.private_key, d.ownership_token
     from dkim_keys k join domains d on d.id = k.domain_id where k.domain_id = $1 and k.is_signing`,
    [domainId],
  );
  if (!row) return undefined;
  const der = secret.decrypt(use, row.private_key, contextOf(row.ownership_token, row.selector));
  return { selector: row.selector, key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}
