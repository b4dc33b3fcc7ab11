import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const certificate = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g;

/**
 * Has every TLS connection of this thread that checks certificates trust the authorities of a file too, beside those that Node
 * comes with: ACME, webhooks, a smarthost, the database.
 */
export function trustAuthorities(file: string | undefined): void {
  if (file === undefined) return;
  setDefaultCACertificates([...getCACertificates('default'), ...readAuthorities(file)]);
}

function readAuthorities(file: string): string[] {
  const fail = (why: string, cause?: unknown): never => {
    throw new Error(`CHASQUI_CA_FILE: ${file} ${why}.`, { cause });
  };
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    fail(`cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
  }
  const found = text.match(certificate) ?? fail('has no certificate in PEM');
  return found.map((pem) => {
    try {
      return new X509Certificate(pem).toString();
    } catch (error) {
      return fail('has a certificate that cannot be read', error);
    }
  });
}
