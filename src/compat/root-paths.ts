import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { VendorName } from './vendor.ts';

/** First segments that only this service has: its clients get errors in its format. */
const own: Readonly<Record<string, VendorName>> = { emails: 'resend', email: 'postmark', v3: 'sendgrid' };

const resend = [
  'api-keys',
  'audiences',
  'automations',
  'broadcasts',
  'contact-properties',
  'contacts',
  'events',
  'inboxes',
  'logs',
  'oauth',
  'segments',
  'suppressions',
  'topics',
  'usage',
];
const postmark = [
  'bounces',
  'deliveryStats',
  'deliverystats',
  'message-streams',
  'messages',
  'senders',
  'server',
  'servers',
  'stats',
  'triggers',
];
/** Theirs where a request has a credential that only they know. */
const shared = ['domains', 'templates', 'webhooks'];

type Choose = (headers: IncomingHttpHeaders) => VendorName | undefined;

const ofResend: Choose = (headers) => (hasBearer(headers) ? 'resend' : undefined);
const ofPostmark: Choose = (headers) => (hasToken(headers) ? 'postmark' : undefined);

const vendorOf: ReadonlyMap<string, Choose> = new Map<string, Choose>([
  ...Object.entries(own).map(([segment, vendor]): [string, Choose] => [segment, () => vendor]),
  ...resend.map((segment): [string, Choose] => [segment, ofResend]),
  ...postmark.map((segment): [string, Choose] => [segment, ofPostmark]),
  ...shared.map((segment): [string, Choose] => [
    segment,
    (headers) => ofPostmark(headers) ?? ofResend(headers),
  ]),
]);

function hasBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined;
}

function hasToken(headers: IncomingHttpHeaders): boolean {
  return 'x-postmark-server-token' in headers || 'x-postmark-account-token' in headers;
}

/**
 * Other services are called at the root of a host, some clients cannot do otherwise. Leads such a path below `/compat/`, where it
 * is served. One value of a variable suits clients that add a slash and those that do not: doubled slashes count as one, and one at
 * the end is dropped.
 */
export function rewriteRootPath(url: string, { headers }: Pick<IncomingMessage, 'headers'>): string {
  if (url.startsWith('/v1/') || url === '/') return url;
  const end = url.search(/[?#]/);
  const path = (end === -1 ? url : url.slice(0, end)).replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const rest = end === -1 ? '' : url.slice(end);
  if (path.startsWith('/compat/')) return path + rest;
  const vendor = vendorOf.get(path.split('/', 2)[1] ?? '')?.(headers);
  return vendor === undefined ? url : `/compat/${vendor}${path}${rest}`;
}
