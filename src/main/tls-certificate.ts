import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Certificate } from '../certificates/certificate-store.ts';
import { createStoredSource, type CertificateSource } from '../certificates/certificate-source.ts';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';
import type { ServiceContext } from './service-context.ts';

const valid_days = 3650;
/** Looking at the files at each connection was a fiftieth of a short session. */
const pollEveryMs = 1_000;

type SourceContext = Pick<ServiceContext, 'config' | 'store' | 'secret' | 'notifications' | 'log'>;

/** The certificate of every TLS listener of this thread: the one got by ACME where that is set up, else that of files. */
export function createCertificates({ config, store, ...context }: SourceContext): CertificateSource {
  const fallback = lazily(() => fileSource(config, context.log));
  if (config.acme_directory === undefined) return { current: fallback, load: async () => undefined };
  return createStoredSource({ ...context, db: store.db, fallback });
}

/** Files are made only where a listener asks for them. */
function lazily<T>(open: () => () => T): () => T {
  let opened: (() => T) | undefined;
  return () => (opened ??= open())();
}

/**
 * The certificate of files, asked for at each connection: files that changed on disk are read again
 * within a second, so that a renewed certificate needs no restart. While they do not belong together, as in the middle of a
 * renewal, the last ones serve on. Without configured files one is made in the data folder; mail programs have to be told to trust it.
 */
function fileSource(config: Config, log: Log): () => Certificate {
  const files = certificateFiles(config);
  let stamp = '';
  let current: Certificate | undefined;
  let lookedAt = -Infinity;
  let lastLogged = '';
  return () => {
    if (current && performance.now() - lookedAt < pollEveryMs) return current;
    lookedAt = performance.now();
    try {
      const changed = [files.cert, files.key].map((file) => statSync(file).mtimeMs).join(' ');
      if (current && changed === stamp) return current;
      current = readPair(files);
      stamp = changed;
      lastLogged = '';
    } catch (error) {
      if (!current) throw error;
      const { message } = error as Error;
      if (message !== lastLogged)
        log.error({ err: error }, 'the new certificate cannot be used; the last one serves on');
      lastLogged = message;
    }
    return current;
  };
}

function readPair(files: { cert: string; key: string }): Certificate {
  const pair = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
  // Throws unless they belong together.
  createSecureContext(pair);
  return pair;
}

function certificateFiles(config: Config): { cert: string; key: string } {
  const { tls_cert_file, tls_key_file, data_dir, platform_domain } = config;
  if (tls_cert_file && tls_key_file) return { cert: tls_cert_file, key: tls_key_file };
  const files = { cert: path.join(data_dir, 'tls-cert.pem'), key: path.join(data_dir, 'tls-key.pem') };
  if (!existsSync(files.cert) || !existsSync(files.key)) {
    const names = [`mx.${platform_domain}`, 'localhost', '127.0.0.1'] as const;
    const { cert, key } = selfSignedCertificate({ names, valid_from: new Date(), valid_days });
    mkdirSync(data_dir, { recursive: true });
    writeFileSync(files.key, key, { mode: 0o600 });
    writeFileSync(files.cert, cert);
  }
  return files;
}
