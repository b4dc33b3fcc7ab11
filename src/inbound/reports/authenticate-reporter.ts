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
 * The organisational domain of the header From, if SPF or a DKIM signature of the whole message passes in relaxed
 * alignment (RFC 7489 §3.1). The DMARC policy of the domain does not matter.
 */
export async function authenticateReporter(resolver: Resolver, incoming: Incoming): Promise<Reporter> {
  const from = fromDomain(incoming.raw);
  if (from === undefined) return { kind: 'unaligned' };
  const domain = organisationalDomain(from);
  const lookUp = lookUpWith(resolver);
  const isAligned = (other: string | undefined): boolean =>
    other !== undefined && organisationalDomain(other.toLowerCase()) === domain;
  const spf = await checkSpf(incoming, isAligned, lookUp);
  if (spf === 'pass') return { kind: 'aligned', domain };
  const dkim = await checkDkim(incoming.raw, isAligned, lookUp);
  if (dkim === 'pass') return { kind: 'aligned', domain };
  return { kind: spf === 'temperror' || dkim === 'temperror' ? 'unknown' : 'unaligned' };
}

type Verdict = 'pass' | 'fail' | 'temperror';

async function checkSpf(
  { mail_from, remote_ip, helo }: Incoming,
  isAligned: (domain: string) => boolean,
  resolver: LookUp,
): Promise<Verdict> {
  if (mail_from === undefined || !isAligned(mail_from.slice(mail_from.lastIndexOf('@') + 1))) return 'fail';
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

async function checkDkim(
  raw: Buffer,
  isAligned: (domain: string | undefined) => boolean,
  resolver: LookUp,
): Promise<Verdict> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const { results } = await dkimVerify(raw, { resolver, rejectRsaSha1: true });
  // A partial signature (`l=`) does not cover appended content.
  const own = results.filter((each) => isAligned(each.signingDomain) && each.canonBodyLengthLimited !== true);
  const verdicts = own.map(({ status }) => verdictOf(status.result));
  return verdicts.find((each) => each === 'pass') ?? verdicts.find((each) => each === 'temperror') ?? 'fail';
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

function organisationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}
