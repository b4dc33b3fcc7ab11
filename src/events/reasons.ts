import { dropReasons } from '../mails/index.ts';
import { failures, type Failure } from '../protocol/classify/classify.ts';
import { meanings, type Meaning } from '../protocol/classify/meanings.ts';
import { dnsErrors, type DnsError } from '../protocol/dns/client/dns-exchange.ts';

/** Contract §7: why accepted mail is held. */
export const holdReasons = ['instance_disabled', 'domain_not_verified'] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Why a domain has no mail host. */
export const noRoutes = [
  'address_literal',
  'bad_domain',
  'domain_not_found',
  'no_mail_host',
  'mx_without_address',
  'mx_not_public',
  'loops_to_us',
] as const;
export type NoRoute = (typeof noRoutes)[number];

/** Why mail that was due was postponed without an attempt. */
export const waitReasons = [
  'paced',
  'paused',
  'stopped',
  'warming_up',
  'no_source_address',
  'base_url_not_public',
  'no_memory',
  'template_waiting',
  'database_unavailable',
] as const;
export type WaitReason = (typeof waitReasons)[number];

/** Why a mail fails without a word of any server about it. */
const ownReasons = [
  'message_expired',
  'delivery_crashed',
  'internal_error',
  'template_failed',
  'eight_bit_unsupported',
  'smtputf8_unsupported',
] as const;

/** Why a mail bounces. One that waits until it expires bounces for what it waited for. */
export const bounceReasons = [
  ...noRoutes,
  ...waitReasons,
  ...ownReasons,
  ...(Object.keys(meanings) as Meaning[]),
  ...failures.map((failure): `connection_${Failure}` => `connection_${failure}`),
  ...dnsErrors.map((error): `dns_${DnsError}` => `dns_${error}`),
] as const;

/**
 * Every word that can stand as the reason of a delivery event or in `queue.last_error`. They are public: logs, webhooks
 * and exports show them, and each one has an explanation.
 */
export const reasons = [...dropReasons, ...holdReasons, ...bounceReasons] as const;
export type Reason = (typeof reasons)[number];
