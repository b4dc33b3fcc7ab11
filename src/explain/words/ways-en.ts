import type { CauseCode } from '../causes.ts';
import type { Words } from './words.ts';

const wait = 'Nothing is to be done: it is tried again.';
const tellThem = 'If it lasts, let the recipient tell the administrators of their mail.';

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
    title: 'the recipient’s server broke the connection off',
    text: ({ host }) =>
      `${host} hung up, or answered with something that is no SMTP, before the mail was taken.`,
    advice: [wait, tellThem],
  },
  connection_tls: {
    title: 'no encrypted connection to the recipient’s server could be made',
    text: ({ host }) => `${host} must be spoken to over TLS, and TLS with it fails.`,
    advice: [wait, tellThem],
  },
  connection_dane: {
    title: 'the recipient’s server is not the one its DNS records describe (DANE)',
    text: ({ host }) =>
      `${host} has TLSA records, and its certificate does not match them. The mail is not sent, lest somebody in between read it.`,
    advice: [
      `Let the recipient tell their administrators that certificate and TLSA records do not match.`,
      wait,
    ],
  },
  connection_mta_sts: {
    title: 'the recipient’s server does not keep to its domain’s policy (MTA-STS)',
    text: ({ destination }) =>
      `${destination} publishes an MTA-STS policy: only servers it names, with a valid certificate, may get its mail. None of those that DNS names does.`,
    advice: [
      'Let the recipient tell their administrators that policy, MX records and certificate do not match.',
      wait,
    ],
  },
  connection_login: {
    title: 'the relay does not let the platform in',
    text: 'All mail goes through a relay, which refused the name and password of the platform.',
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
      'If it lasts, ask the operator to check `CHASQUI_DNS_SERVERS`; `chasqui doctor` tells more.',
    ],
  },
  mx_broken: {
    title: 'the domain’s mail servers have no usable address',
    text: ({ destination }) =>
      `The MX records of ${destination} name servers without an address, or with one that is not public.`,
    advice: ['Let the recipient tell their administrators that the MX records need correction.', wait],
  },
  loops_to_us: {
    title: 'the domain’s mail leads back to this platform',
    text: ({ destination }) =>
      `The MX records of ${destination} point to this platform, which takes bounces there and no mail for people.`,
    advice: ({ destination }) => [
      `If ${destination} is yours, send from a subdomain such as mail.${destination} and leave the MX of ${destination} to your mailboxes.`,
      wait,
    ],
  },
} satisfies Partial<Record<CauseCode, Words>>;
