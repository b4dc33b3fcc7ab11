import type { AuthenticateResult, DKIMResult } from 'mailauth';
import { boundedText } from '../../base/db/storable-text.ts';
import { canonicalDomain } from '../../protocol/address/domain-name.ts';
import { endOfHeader } from '../../protocol/mime/header-block.ts';
import type { Authentication, Verdict } from '../../received/index.ts';
import type { LookUp } from './mailauth-resolver.ts';

export interface HandedOver {
  mail_from: string | null;
  helo: string;
  /** Null where it was not handed over by SMTP. */
  remote_ip: string | null;
}

/** Programs sign once or twice, and lists once more; each signature costs a query and a hash of the message. */
const maxSignatures = 10;
const maxHeaderBytes = 256 * 1024;
const maxFields = 1_000;
/** Of all look-ups. What is not known by then is a temporary error. */
const maxMs = 15_000;

const allAre = (result: Verdict): Authentication => ({
  spf: { result, domain: null },
  dkim: [],
  dmarc: { result, domain: null, policy: null },
  arc: { result, domain: null },
});

/** SPF, DKIM, DMARC and ARC as facts (RFC 7208, 6376, 9989, 8617). */
export async function authenticateMail(
  raw: Buffer,
  { mail_from, helo, remote_ip }: HandedOver,
  resolver: LookUp,
): Promise<Authentication> {
  if (remote_ip === null) return allAre('none');
  if (isTooMuch(raw)) return allAre('policy');
  const { authenticate } = await import('mailauth');
  const checking = authenticate(raw, {
    sender: mail_from ?? '',
    ip: remote_ip,
    helo: helo || remote_ip,
    resolver,
    mta: 'chasqui',
    disableBimi: true,
    rejectRsaSha1: true,
  });
  const found = await beforeDeadline(checking);
  return found ? factsOf(found) : allAre('temperror');
}

/** Undefined too when it fails: what strangers wrote is not a bug of ours. */
async function beforeDeadline(
  checking: Promise<AuthenticateResult>,
): Promise<AuthenticateResult | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), maxMs);
  try {
    return await Promise.race([checking.catch(() => undefined), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a header is made to cost time rather than to be read. */
function isTooMuch(raw: Buffer): boolean {
  const end = endOfHeader(raw.subarray(0, maxHeaderBytes));
  if (end >= maxHeaderBytes) return true;
  const header = raw.toString('latin1', 0, end);
  const signatures = header.match(/^(?:dkim-signature|arc-seal)[ \t]*:/gim) ?? [];
  return signatures.length > maxSignatures || (header.match(/^[^ \t\r\n]/gm) ?? []).length > maxFields;
}

function factsOf({ spf, dkim, dmarc, arc }: AuthenticateResult): Authentication {
  const seal = arc !== false && arc.signature ? arc.signature.signingDomain : undefined;
  return {
    spf: spf ? { result: verdictOf(spf.status.result), domain: domainOf(spf.domain) } : allAre('none').spf,
    dkim: dkim.results.filter(({ signingDomain }) => signingDomain !== undefined).map(signatureOf),
    dmarc: dmarc
      ? {
          result: verdictOf(dmarc.status.result),
          domain: domainOf(dmarc.domain),
          policy: policyOf(dmarc.policy),
        }
      : allAre('none').dmarc,
    arc: arc ? { result: verdictOf(arc.status.result), domain: domainOf(seal) } : allAre('none').arc,
  };
}

function signatureOf({ signingDomain, selector, status }: DKIMResult): Authentication['dkim'][number] {
  return {
    result: verdictOf(status.result),
    domain: domainOf(signingDomain),
    selector: boundedText(selector, 253),
    is_aligned: typeof status.aligned === 'string',
  };
}

const verdicts: ReadonlySet<string> = new Set<Verdict>([
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
]);

const verdictOf = (result: string): Verdict => (verdicts.has(result) ? (result as Verdict) : 'permerror');

function domainOf(domain: string | undefined): string | null {
  return canonicalDomain(domain ?? '') ?? null;
}

function policyOf(policy: string | undefined): Authentication['dmarc']['policy'] {
  const name = policy?.toLowerCase();
  return name === 'none' || name === 'quarantine' || name === 'reject' ? name : null;
}
