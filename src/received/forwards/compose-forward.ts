import type { KeyObject } from 'node:crypto';
import { sealMessage } from '../../protocol/arc/seal-message.ts';
import { readFields } from '../../protocol/mime/read-fields.ts';
import type { Authentication, Automation } from '../received-mail.ts';

export interface Forwarded {
  raw: Buffer;
  recipient: string;
  authentication: Authentication | null;
  automation: Automation | null;
}

export interface Sealing {
  /** Of the platform. */
  domain: string;
  selector: string;
  key: KeyObject;
  now: Date;
}

export type ForwardRefusal = 'loop' | 'dmarc_failed' | 'too_large' | 'malformed';

/** What a mail of ours may have; the rest is for signatures and traces. */
const maxBytes = 15 * 1024 * 1024 - 16 * 1024;
const maxHeaderBytes = 128 * 1024;
/** A mail that our routes passed on this often goes in circles. */
const mostDeliveries = 5;

/** Why a mail is not sent on; undefined when it may be. */
export function refusalOf({
  raw,
  recipient,
  authentication,
  automation,
}: Forwarded): ForwardRefusal | undefined {
  if (raw.length > maxBytes) return 'too_large';
  const end = raw.indexOf('\r\n\r\n');
  if (end < 1 || end > maxHeaderBytes) return 'malformed';
  const delivered = readFields(raw.toString('utf8', 0, end)).filter(({ name }) => name === 'delivered-to');
  const isOwn = delivered.some(({ value }) => value.toLowerCase() === recipient.toLowerCase());
  if (isOwn || delivered.length >= mostDeliveries || automation?.is_loop === true) return 'loop';
  // The receiver would refuse it, and think of it as ours.
  const { dmarc } = authentication ?? {};
  return dmarc?.result === 'fail' && dmarc.policy === 'reject' ? 'dmarc_failed' : undefined;
}

/** Not part of a message that goes on: the trace of a delivery that has ended, and options of ours. */
const removed = /^(?:return-path|bcc|resent-bcc|x-chq-[^:]*)[ \t]*:/i;

/**
 * The message with the seal of the platform and the address that it came by. Nothing else of it changes, so that the
 * signatures of its author stay valid.
 */
export async function composeForward(
  { raw, recipient, authentication }: Forwarded,
  sealing: Sealing,
): Promise<Buffer> {
  const end = raw.indexOf('\r\n\r\n');
  const fields = raw.toString('latin1', 0, end).split(/\r\n(?![ \t])/);
  const kept = fields.filter((field) => !removed.test(field));
  const body = raw.subarray(end + 4);
  const header = Buffer.from(`Delivered-To: ${plain(recipient)}\r\n${kept.join('\r\n')}\r\n`, 'latin1');
  const seal = await sealMessage({
    ...sealing,
    header,
    body,
    chain: chainOf(authentication),
    results: resultsOf(authentication, `mx.${sealing.domain}`),
  });
  return Buffer.concat([Buffer.from(seal ?? ''), header, Buffer.from('\r\n'), body]);
}

const chainOf = (authentication: Authentication | null): 'none' | 'pass' | 'fail' => {
  const result = authentication?.arc.result;
  return result === 'none' || result === 'pass' ? result : 'fail';
};

/** RFC 8601; values come from outside, so only letters of names pass. */
function resultsOf(authentication: Authentication | null, host: string): string {
  if (!authentication) return `${host}; none`;
  const { spf, dkim, dmarc, arc } = authentication;
  return [
    host,
    `spf=${spf.result}${ofDomain('smtp.mailfrom', spf.domain)}`,
    ...dkim.map(
      ({ result, domain, selector }) =>
        `dkim=${result}${ofDomain('header.d', domain)}${ofDomain('header.s', selector)}`,
    ),
    `dmarc=${dmarc.result}${ofDomain('header.from', dmarc.domain)}`,
    `arc=${arc.result}`,
  ].join('; ');
}

function ofDomain(name: string, domain: string | null): string {
  return domain !== null && /^[\w.-]{1,255}$/.test(domain) ? ` ${name}=${domain}` : '';
}

const plain = (address: string): string => address.replaceAll(/[^\x21-\x7e]/g, '');
