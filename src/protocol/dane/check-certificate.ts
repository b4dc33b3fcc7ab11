import { createHash, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';

/** RFC 6698 §2.1: what DNS says of the certificate of a server. */
export interface TlsaRecord {
  usage: number;
  selector: number;
  matching_type: number;
  data: Buffer;
}

const daneTa = 2;
const daneEe = 3;
const digests: Record<number, string | undefined> = { 1: 'sha256', 2: 'sha512' };

/** Of use between mail servers: DANE-TA and DANE-EE of a known form (RFC 7672 §3.1). The others are as good as none. */
export function isUsable({ usage, selector, matching_type, data }: TlsaRecord): boolean {
  if (usage !== daneTa && usage !== daneEe) return false;
  return (selector === 0 || selector === 1) && matching_type >= 0 && matching_type <= 2 && data.length > 0;
}

export interface DaneExpectation {
  records: readonly TlsaRecord[];
  /** Any one of which a certificate below a trust anchor must have: the host, and the domain mail is for. */
  names: readonly string[];
  now: Date;
}

/**
 * Why a server is not the one that its TLSA records describe; undefined when it is. `chain` is as the server sent it:
 * its own certificate first.
 */
export function daneProblem(
  chain: readonly X509Certificate[],
  { records, names, now }: DaneExpectation,
): string | undefined {
  const [leaf] = chain;
  if (leaf === undefined) return 'the server showed no certificate';
  const usable = records.filter(isUsable);
  // Neither names nor dates count here: the record itself names the key (RFC 7672 §3.1.1).
  if (usable.some((record) => record.usage === daneEe && matches(record, leaf))) return undefined;
  const anchored = usable
    .filter(({ usage }) => usage === daneTa)
    .some((record) => isBelowAnchor(chain, record, now));
  if (!anchored) return 'the certificate matches none of the TLSA records';
  const isNamed = names.some((name) => leaf.checkHost(name) !== undefined);
  return isNamed ? undefined : 'the certificate below the anchor of the TLSA records is for another name';
}

function matches({ selector, matching_type, data }: TlsaRecord, certificate: X509Certificate): boolean {
  const selected =
    selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  const digest = digests[matching_type];
  return data.equals(digest === undefined ? selected : createHash(digest).update(selected).digest());
}

/** Whether the chain holds, link by link, from the server's certificate up to one that the record describes. */
function isBelowAnchor(chain: readonly X509Certificate[], record: TlsaRecord, now: Date): boolean {
  for (const [index, certificate] of chain.entries()) {
    if (!isCurrent(certificate, now)) return false;
    if (matches(record, certificate)) return true;
    const issuer = chain[index + 1];
    if (issuer === undefined) return isSignedByRecord(certificate, record);
    if (!issuer.ca || !certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) return false;
  }
  return false;
}

/** A record with the whole anchor in it stands for one that the server need not send (RFC 7671 §5.2.3). */
function isSignedByRecord(
  certificate: X509Certificate,
  { selector, matching_type, data }: TlsaRecord,
): boolean {
  const key = matching_type === 0 ? anchorKey(selector, data) : undefined;
  return key !== undefined && certificate.verify(key);
}

function anchorKey(selector: number, data: Buffer): KeyObject | undefined {
  try {
    return selector === 0
      ? new X509Certificate(data).publicKey
      : createPublicKey({ key: data, format: 'der', type: 'spki' });
  } catch {
    return undefined; // such a record is as good as none (RFC 6698 §4.1); another may hold
  }
}

function isCurrent({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}
