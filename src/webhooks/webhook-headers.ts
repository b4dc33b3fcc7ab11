import { validationProblem, type Violation } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';

export const maxHeaders = 10;
export const maxHeaderValue = 1_024;
/** Field names of RFC 9110 §5.1, without the characters that only few servers take. */
export const headerName = '^[A-Za-z0-9-]{1,64}$';
/** Visible ASCII with blanks between: what every server takes, and no way to end the line. */
export const headerValue = '^[!-~](?:[ -~]*[!-~])?$';

export type CustomHeaders = Record<string, string>;

/** What the connection, the body or a signature is made of. */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const reservedPrefixes = ['webhook-', 'svix-', 'x-twilio-', 'x-forwarded-', 'proxy-', 'sec-'];

export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
}

const namePattern = new RegExp(headerName);

/** Beyond the schema: names that are ours, and the same name twice. */
export function violationsOfHeaders(body: unknown): Violation[] {
  const given = (body as { headers?: unknown } | null)?.headers;
  if (typeof given !== 'object' || given === null) return [];
  const seen = new Set<string>();
  return Object.keys(given).flatMap((name) => {
    const lower = name.toLowerCase();
    const isTwice = seen.has(lower);
    seen.add(lower);
    const message = !namePattern.test(name)
      ? 'The name of a header has letters, digits and hyphens, at most 64'
      : isReservedHeader(name)
        ? 'This header is set by the service'
        : isTwice
          ? 'This header is given twice'
          : undefined;
    return message === undefined
      ? []
      : [{ pointer: `/headers/${name}`, code: 'value_error.header', message }];
  });
}

export function requireHeaders(body: { headers?: CustomHeaders | null }): void {
  const violations = violationsOfHeaders(body);
  if (violations.length > 0) throw validationProblem(violations);
}

const use = 'webhook';
const contextOf = (webhookId: number): string => `webhook/${webhookId}/headers`;

/** Null where there are none. */
export function sealHeaders(
  root: RootSecret,
  webhookId: number,
  headers: CustomHeaders | null,
): Buffer | null {
  if (headers === null || Object.keys(headers).length === 0) return null;
  return root.encrypt(use, Buffer.from(JSON.stringify(headers)), contextOf(webhookId));
}

export type OpenHeaders = (webhookId: number, sealed: Buffer) => CustomHeaders;

const maxCached = 1_000;

/** A cache, as that of the secrets. Names are in lower case, as those of a request. */
export function createHeaderOpener(root: RootSecret): OpenHeaders {
  const opened = new BoundedMap<string, CustomHeaders>({
    max_entries: maxCached,
    evicts: 'least_recently_used',
  });
  return (webhookId, sealed) =>
    opened.getOrSet(`${webhookId} ${sealed.toString('latin1')}`, () => {
      const text = root.decrypt(use, sealed, contextOf(webhookId)).toString();
      const given = Object.entries(JSON.parse(text) as CustomHeaders);
      return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
    });
}
