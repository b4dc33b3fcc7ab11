import { createPrivateKey, X509Certificate } from 'node:crypto';
import path from 'node:path';
import type { Config } from '../../base/config.ts';
import type { Queryable } from '../../base/db/database.ts';
import { findLastFailure } from '../../certificates/acme-account.ts';
import type { FailureCause } from '../../certificates/failure-cause.ts';
import { isReservedName } from '../../protocol/dns/reserved-names.ts';
import { CheckFailure } from '../../installation/check.ts';
import { readIfPresent } from '../../base/read-if-present.ts';

const dayMs = 86_400_000;
/** Renewal usually happens 30 days before the end. */
const warnDays = 14;
const action =
  'Renew the certificate and put it where CHASQUI_TLS_CERT_FILE and CHASQUI_TLS_KEY_FILE say; it is read again within a second.';

/** The certificate of the SMTP listeners on this machine. */
export async function checkCertificate(config: Config, now: Date): Promise<string> {
  const { tls_cert_file, data_dir } = config;
  const pem = readIfPresent(tls_cert_file ?? path.join(data_dir, 'tls-cert.pem'));
  if (pem === undefined) {
    if (tls_cert_file === undefined) return 'none on this machine: a listener for SMTP makes one';
    throw new CheckFailure(`${tls_cert_file} is not there`, action);
  }
  const key = readIfPresent(config.tls_key_file ?? path.join(data_dir, 'tls-key.pem'));
  if (key === undefined || !new X509Certificate(pem).checkPrivateKey(createPrivateKey(key))) {
    throw new CheckFailure('the key of the certificate is missing, or is the one of another', action);
  }
  return judge(pem, config, now);
}

/** The one that was got by ACME, for all nodes. */
export async function checkOrderedCertificate(
  db: Queryable,
  config: Config & { acme_directory: string },
  now: Date,
): Promise<string> {
  const { acme_directory } = config;
  const [row] = await db.query<{ chain: string }>('select chain from certificates where id = 1');
  const failure = await findLastFailure(db, acme_directory);
  const remedy = remedyOf(failure?.last_cause ?? 'other', config);
  if (row === undefined) {
    const why = failure?.last_error ?? 'it was not ordered yet';
    throw new CheckFailure(`none yet from ${acme_directory}: ${why}`, remedy);
  }
  if (failure) throw new CheckFailure(`it could not be renewed: ${failure.last_error}`, remedy);
  return judge(row.chain, config, now);
}

/** By the cause of the last failure, what to do before the next order. */
function remedyOf(cause: FailureCause, config: Config & { acme_directory: string }): string {
  const { acme_directory, acme_names, http_port, ca_file } = config;
  const names = acme_names.join(' and ');
  const retry = 'Then `chasqui certificate retry` orders at once.';
  const remedies: Record<FailureCause, string> = {
    unknown_authority: `This machine does not trust the certificate of ${acme_directory}: put the root of that authority into CHASQUI_CA_FILE${ca_file === undefined ? '' : `, which is ${ca_file}`}, and restart. ${retry}`,
    directory_unreachable: `Connections from this machine to ${acme_directory} fail: look at its name, DNS and the firewall. ${retry}`,
    dns: `The authority cannot resolve the name: publish addresses of your nodes for ${names}. ${retry}`,
    port_80: `The authority asks port 80 of ${names} for a token: lead it to CHASQUI_HTTP_PORT (${http_port}) of a node, and forward /.well-known/acme-challenge/ unchanged. ${retry}`,
    caa: `A CAA record of ${names}, or of a domain above, allows another authority only: add this one. ${retry}`,
    rate_limit: `The authority allows no more orders for now. Wait; try things out with its staging directory. ${retry}`,
    refused_name: `The authority gives no certificate for these names: look at CHASQUI_ACME_NAMES, CHASQUI_BASE_URL and CHASQUI_PLATFORM_DOMAIN, and restart. ${retry}`,
    other: `Role jobs orders it: port 80 of ${names} must lead to CHASQUI_HTTP_PORT of a node. ${retry}`,
  };
  return remedies[cause];
}

function judge(pem: string, { platform_domain }: Config, now: Date): string {
  const certificate = new X509Certificate(pem);
  const host = `mx.${platform_domain}`;
  const ends_at = certificate.validToDate;
  const days = Math.floor((ends_at.getTime() - now.getTime()) / dayMs);
  if (days < 0) throw new CheckFailure(`expired on ${ends_at.toISOString()}`, action);
  if (certificate.validFromDate > now)
    throw new CheckFailure(`not valid before ${certificate.validFromDate.toISOString()}`, action);
  if (days < warnDays) throw new CheckFailure(`expires in ${days} days, on ${ends_at.toISOString()}`, action);
  const isSelfSigned = certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
  const what = `${isSelfSigned ? 'self-signed, ' : ''}valid for ${days} more days`;
  if (isReservedName(platform_domain)) return what;
  if (isSelfSigned) {
    throw new CheckFailure(
      `${what}: mail programs refuse to sign in`,
      `Get a certificate for ${host}: CHASQUI_ACME_DIRECTORY, or CHASQUI_TLS_CERT_FILE and CHASQUI_TLS_KEY_FILE.`,
    );
  }
  if (certificate.checkHost(host) === undefined)
    throw new CheckFailure(`not for ${host}: ${certificate.subjectAltName ?? 'no names'}`, action);
  return `for ${host}, ${what}`;
}
