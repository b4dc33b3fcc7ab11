import type { CauseCode } from '../causes.ts';
import type { Words } from './words.ts';

const wait = 'You do not need to do anything: it is tried again.';
const tellThem = 'If this continues, ask the recipient to inform the administrators of their mail server.';

/** What stands in the way to the recipient's server. */
export const waysEn = {
  server_unreachable: {
    title: 'the recipient’s server does not answer',
    text: ({ host }) => `${host} could not be reached, or did not answer in time.`,
    advice: [
      wait,
      'If other destinations fail too, ask the operator whether port 25 is open for outgoing mail.',
      tellThem,
    ],
  },
  connection_lost: {
    title: 'the recipient’s server closed the connection',
    text: ({ host }) =>
      `${host} closed the connection, or sent something other than SMTP, before it accepted the mail.`,
    advice: [wait, tellThem],
  },
  connection_tls: {
    title: 'the connection to the recipient’s server could not be encrypted',
    text: ({ host }) => `The connection to ${host} requires TLS, and the TLS handshake fails.`,
    advice: [wait, tellThem],
  },
  connection_dane: {
    title: 'the recipient’s server is not the one its DNS records describe (DANE)',
    text: ({ host }) =>
      `${host} has TLSA records, and its certificate does not match them. The mail is not sent, because a third party could intercept it.`,
    advice: [
      `Ask the recipient to tell their administrators that the certificate and the TLSA records do not match.`,
      wait,
    ],
  },
  connection_mta_sts: {
    title: 'the recipient’s server does not comply with its domain’s policy (MTA-STS)',
    text: ({ destination }) =>
      `${destination} publishes an MTA-STS policy: only servers it names, with a valid certificate, may get its mail. No server in DNS complies with the policy.`,
    advice: [
      'Ask the recipient to tell their administrators that the policy, the MX records and the certificate do not match.',
      wait,
    ],
  },
  connection_login: {
    title: 'the relay rejects the platform’s login',
    text: 'All mail goes through a relay, which rejected the user name and password of the platform.',
    advice: ['Ask the operator to check `CHASQUI_SMARTHOST`.'],
  },
  dns_failed: {
    title: 'the domain could not be looked up',
    text: ({ destination }) =>
      `The name servers of ${destination} did not answer, or answered with an error.`,
    advice: [wait, tellThem],
  },
  dns_unavailable: {
    title: 'the platform’s DNS resolver does not answer',
    text: ({ destination }) => `The platform could not ask DNS for the servers of ${destination}.`,
    advice: [
      wait,
      'If this continues, ask the operator to check `CHASQUI_DNS_SERVERS`; `chasqui doctor` shows more.',
    ],
  },
  mx_broken: {
    title: 'the domain’s mail servers have no usable address',
    text: ({ destination }) =>
      `The MX records of ${destination} name servers without an address, or with one that is not public.`,
    advice: ['Ask the recipient to tell their administrators that the MX records need correction.', wait],
  },
  loops_to_us: {
    title: 'the domain’s MX records point to this platform',
    text: ({ destination }) =>
      `The MX records of ${destination} point to this platform, which accepts bounces there, but no mail for people.`,
    advice: ({ destination }) => [
      `If ${destination} is yours, send from a subdomain such as mail.${destination} and leave the MX of ${destination} to your mailboxes.`,
      wait,
    ],
  },
} satisfies Partial<Record<CauseCode, Words>>;
