import { X509Certificate } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import type { RootSecret } from '../base/secrets.ts';

/** Both in PEM, the certificate with those that lead to its authority. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface StoredCertificate extends Certificate {
  /** Of the authority; null where it was ordered before that was kept. */
  directory: string | null;
  names: string[];
  valid_from: Date;
  valid_until: Date;
}

/** Heard by every node with a TLS listener. */
export const certificatesChannel = 'certificates';

const use = 'tls certificate';
const context = 'certificates:1';

export async function findCertificate(
  db: Queryable,
  secret: RootSecret,
): Promise<StoredCertificate | undefined> {
  const [row] = await db.query<Omit<StoredCertificate, 'key' | 'cert'> & { chain: string; sealed: Buffer }>(
    'select directory, names, chain, private_key as sealed, valid_from, valid_until from certificates where id = 1',
  );
  if (row === undefined) return undefined;
  const { chain, sealed, ...rest } = row;
  return { ...rest, cert: chain, key: secret.decrypt(use, sealed, context).toString('utf8') };
}

export async function saveCertificate(
  db: Queryable,
  secret: RootSecret,
  { directory, names, cert, key }: Certificate & { directory: string; names: string[] },
): Promise<void> {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  await db.query(
    `with saved as (
       insert into certificates (id, directory, names, chain, private_key, valid_from, valid_until)
       values (1, $1, $2, $3, $4, $5, $6)
       on conflict (id) do update set directory = excluded.directory, names = excluded.names, chain = excluded.chain,
         private_key = excluded.private_key, valid_from = excluded.valid_from, valid_until = excluded.valid_until
       returning id)
     select pg_notify($7, '') from saved`,
    [
      directory,
      names,
      cert,
      secret.encrypt(use, Buffer.from(key), context),
      validFromDate,
      validToDate,
      certificatesChannel,
    ],
  );
}
