import { getDomain } from 'tldts';
import { canonicalDomain } from '../../protocol/address/domain-name.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';
import { readAddresses } from '../../protocol/mime/read-addresses.ts';
import { fieldOf, readFields } from '../../protocol/mime/read-fields.ts';
import { type LookUp, lookUpWith } from '../authentication/mailauth-resolver.ts';
import type { Incoming } from '../session/inbound-context.ts';

/** `unknown`: DNS did not answer. */
export type Reporter = { kind: 'aligned'; domain: string } | { kind: 'unaligned' } | { kind: 'unknown' };

/** Reporters sign once or twice; each signature costs a query and a hash of the message. */
const maxSignatures = 5;
const max_header_bytes = 64 * 1024;
/** Limit of an SPF evaluation (RFC 7208 §4.6.4). */
const spfMs = 20_000;

/**
 * The registrable domain of the header From, if SPF or a DKIM signature of the whole message passes in relaxed alignment
 * (RFC 9989 §4.10). The DMARC policy of the domain does not matter. The quota of a reporter counts by the registrable
 * domain: the owner of a domain can make each of its subdomains an organizational domain, by DNS records.
 */
export async function authenticateReporter(resolver: Resolver, incoming: Incoming): Promise<Reporter> {
  const from = fromDomain(incoming.raw);
  if (from === undefined) return { kind: 'unaligned' };
  const lookUp = lookUpWith(resolver);
  const isAligned = alignmentWith(from, lookUp);
  const aligned: Reporter = {
    kind: 'aligned',
    domain: getDomain(from, { allowPrivateDomains: true }) ?? from,
  };
  const spf = await checkSpf(incoming, isAligned, lookUp);
  if (spf === 'pass') return aligned;
  const dkim = await checkDkim(incoming.raw, isAligned, lookUp);
  if (dkim === 'pass') return aligned;
  return { kind: spf === 'temperror' || dkim === 'temperror' ? 'unknown' : 'unaligned' };
}

type Verdict = 'pass' | 'fail' | 'temperror';
type IsAligned = (domain: string | undefined) => Promise<Verdict>;

/**
 * Whether a domain has the organizational domain of the author. The tree walk asks for 8 records of each of two domains at
 * most, and only where both are below the same registrable domain: another organisation costs no query.
 */
function alignmentWith(author: string, lookUp: LookUp): IsAligned {
  let organization: ((domain: string) => Promise<string>) | undefined;
  return async (domain) => {
    const other = domain === undefined ? undefined : canonicalDomain(domain);
    if (other === undefined || getDomain(other) !== getDomain(author)) return 'fail';
    if (other === author) return 'pass';
    organization ??= await organizationsBy(lookUp);
    try {
      const [one, two] = [await organization(author), await organization(other)];
      return one === two ? 'pass' : 'fail';
    } catch {
      return 'temperror';
    }
  };
}

/** RFC 9989 §4.10.2, by mailauth. Each name is queried once a message. */
async function organizationsBy(lookUp: LookUp): Promise<(domain: string) => Promise<string>> {
  const { createRecordLookup, getOrgDomain } = await import('mailauth/lib/dmarc/get-dmarc-record.js');
  const records = createRecordLookup(lookUp, { strict: true });
  return async (domain) => await getOrgDomain(domain, records);
}

async function checkSpf(
  { mail_from, remote_ip, helo }: Incoming,
  isAligned: IsAligned,
  resolver: LookUp,
): Promise<Verdict> {
  if (mail_from === undefined) return 'fail';
  const alignment = await isAligned(mail_from.slice(mail_from.lastIndexOf('@') + 1));
  if (alignment !== 'pass') return alignment;
  const { spf } = await import('mailauth/lib/spf/index.js');
  const options = {
    sender: mail_from,
    ip: remote_ip.replace(/%.*$/, ''),
    helo,
    resolver,
    maxElapsedTime: spfMs,
  };
  return verdictOf((await spf(options)).status.result);
}

async function checkDkim(raw: Buffer, isAligned: IsAligned, resolver: LookUp): Promise<Verdict> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const { results } = await dkimVerify(raw, { resolver, rejectRsaSha1: true });
  // A partial signature (`l=`) does not cover appended content.
  const whole = results.filter((each) => each.canonBodyLengthLimited !== true);
  let verdict: Verdict = 'fail';
  for (const { signingDomain, status } of whole) {
    const signature = verdictOf(status.result);
    if (signature === 'fail') continue;
    const alignment = await isAligned(signingDomain);
    if (signature === 'pass' && alignment === 'pass') return 'pass';
    if (alignment !== 'fail') verdict = 'temperror';
  }
  return verdict;
}

const verdictOf = (result: string): Verdict =>
  result === 'pass' || result === 'temperror' ? result : 'fail';

/** Of the single mailbox in the single From field; undefined otherwise, or when there is too much to check. */
function fromDomain(raw: Buffer): string | undefined {
  const end = raw.indexOf('\r\n\r\n');
  if (end === -1 || end > max_header_bytes) return undefined;
  const header = raw.toString('utf8', 0, end);
  if ((header.match(/^dkim-signature[ \t]*:/gim) ?? []).length > maxSignatures) return undefined;
  if ((header.match(/^from[ \t]*:/gim) ?? []).length !== 1) return undefined;
  const { mailboxes, is_plain } = readAddresses(fieldOf(readFields(header), 'from') ?? '', 2);
  const [mailbox, ...others] = mailboxes;
  if (mailbox === undefined || others.length > 0 || !is_plain) return undefined;
  return canonicalDomain(mailbox.address.slice(mailbox.address.lastIndexOf('@') + 1));
}
