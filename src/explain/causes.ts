import type { Reason } from '../events/index.ts';

/** Where the cause lies, and so who can fix it. */
export const sides = ['none', 'sender', 'platform', 'recipient_server', 'recipient'] as const;
export type Side = (typeof sides)[number];

/**
 * The causes that an explanation can name. Codes are public and stable. Most are called like the reason in the mail's log;
 * reasons that are explained alike share one, and a few are told apart by the reply of the server.
 */
export const causes = {
  // The mail arrived.
  delivered: 'none',
  sandbox_captured: 'none',
  opened: 'none',
  clicked: 'none',
  unsubscribed: 'recipient',
  complained: 'recipient',

  // It has not been tried, or not to the end.
  scheduled: 'none',
  in_queue: 'none',
  in_delivery: 'none',
  destination_paused: 'sender',
  paced: 'recipient_server',
  warming_up: 'platform',
  no_source_address: 'platform',
  base_url_not_public: 'platform',
  no_delivery_node: 'platform',
  platform_busy: 'platform',

  // It must not be sent.
  cancelled: 'sender',
  attachments_over_limit: 'sender',
  consent_missing: 'sender',
  consent_revoked: 'recipient',
  recipient_blocked: 'recipient',
  recipient_erased: 'recipient',
  recipient_restricted: 'recipient',
  recipient_unsubscribed: 'recipient',
  domain_not_verified: 'sender',
  instance_disabled: 'platform',

  // It could not be made.
  template_failed: 'sender',
  message_expired: 'platform',
  delivery_crashed: 'platform',
  internal_error: 'platform',

  // The address.
  no_such_user: 'recipient',
  recipient_refused: 'recipient',
  address_unconfirmed: 'recipient_server',
  mailbox_disabled: 'recipient',
  mailbox_locked: 'recipient',
  mailbox_moved: 'recipient',
  mailbox_full: 'recipient',
  mailbox_busy: 'recipient',
  bad_address: 'recipient',
  bad_domain: 'recipient',
  domain_not_found: 'recipient',
  no_mail_host: 'recipient',
  rejects_mail: 'recipient',
  recipient_is_choosy: 'recipient',

  // The message and who sends it.
  message_too_big: 'sender',
  bad_content: 'sender',
  spam: 'sender',
  not_authenticated: 'sender',
  domain_reputation: 'sender',
  sender_rejected: 'sender',
  blocklisted: 'platform',
  reverse_dns_missing: 'platform',
  greeting_rejected: 'platform',
  protocol_error: 'platform',

  // The recipient's server.
  rate_limited: 'recipient_server',
  greylisted: 'recipient_server',
  policy: 'recipient_server',
  tls_required: 'recipient_server',
  rejected: 'recipient_server',
  temporary_failure: 'recipient_server',
  system: 'recipient_server',
  routing: 'recipient_server',
  mail_loop: 'recipient_server',
  eight_bit_unsupported: 'recipient_server',
  smtputf8_unsupported: 'recipient_server',

  // The way there.
  server_unreachable: 'recipient_server',
  connection_lost: 'recipient_server',
  connection_tls: 'recipient_server',
  connection_dane: 'recipient_server',
  connection_mta_sts: 'recipient_server',
  connection_login: 'platform',
  dns_failed: 'recipient_server',
  dns_unavailable: 'platform',
  mx_broken: 'recipient_server',
  loops_to_us: 'recipient_server',
} as const satisfies Record<string, Side>;

export type CauseCode = keyof typeof causes;
export const causeCodes = Object.keys(causes) as CauseCode[];

/** Reasons that do not have a cause of their own name. */
const shared = {
  address_literal: 'bad_domain',
  mx_without_address: 'mx_broken',
  mx_not_public: 'mx_broken',
  paused: 'in_queue',
  stopped: 'platform_busy',
  no_memory: 'platform_busy',
  template_waiting: 'platform_busy',
  database_unavailable: 'platform_busy',
  connection_timeout: 'server_unreachable',
  connection_refused: 'server_unreachable',
  connection_unreachable: 'server_unreachable',
  connection_closed: 'connection_lost',
  connection_protocol: 'connection_lost',
  connection_dns: 'dns_failed',
  dns_timeout: 'dns_failed',
  dns_servfail: 'dns_failed',
  dns_malformed: 'dns_failed',
  dns_not_implemented: 'dns_failed',
  dns_failed: 'dns_failed',
  dns_bad_name: 'bad_domain',
  dns_refused: 'dns_unavailable',
  dns_unreachable: 'dns_unavailable',
  dns_cancelled: 'dns_unavailable',
} as const satisfies Record<Exclude<Reason, CauseCode> | 'dns_failed', CauseCode>;

/** The cause that a reason of the log stands for, when nothing else is known. */
export function causeOfReason(reason: Reason): CauseCode {
  return reason in shared ? shared[reason as keyof typeof shared] : (reason as CauseCode);
}
