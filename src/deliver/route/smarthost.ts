import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { isLoopback, type Credentials } from '../../protocol/smtp-client/authenticate.ts';
import type { TlsOptions } from '../../protocol/smtp-client/secure-socket.ts';
import type { TlsNeed } from '../targets.ts';
import type { Route, Router } from './router.ts';

/** A relay for all mail, in place of the recipients' MX hosts. */
export interface Smarthost {
  host: string;
  port: number;
  /** TLS from the first byte (smtps), or STARTTLS. */
  implicit_tls: boolean;
  credentials: Credentials | undefined;
}

/** `smtp://user:password@host:587` or `smtps://…`; user and password are percent-encoded. */
export function readSmarthost(text: string): Smarthost {
  const url = new URL(text);
  const implicit_tls = url.protocol === 'smtps:';
  return {
    host: decodeURIComponent(url.hostname)
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase(),
    port: Number(url.port) || (implicit_tls ? 465 : 587),
    implicit_tls,
    credentials: url.username
      ? { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
      : undefined,
  };
}

/**
 * With credentials TLS with a valid certificate is required, except for a relay on this machine. Without credentials TLS is
 * opportunistic, as between any two mail servers.
 */
export function smarthostTls(
  { host, implicit_tls, credentials }: Smarthost,
  { address, need }: { address: string; need: TlsNeed | 'never' },
): TlsOptions {
  const isStrict = credentials !== undefined && !isLoopback(address);
  const verify = isStrict ? 'pkix' : 'none';
  if (implicit_tls) return { mode: 'implicit', servername: host, verify };
  const mode = need === 'never' ? 'never' : 'opportunistic';
  return { mode: isStrict ? 'required' : mode, servername: host, verify };
}

type Addresses = (name: string) => Promise<string[]>;

/** The resolver of the system, which includes the hosts file. */
const bySystem: Addresses = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

const keepMs = 60_000;

/** The same route for every domain. */
export function createSmarthostRouter(
  { host }: Pick<Smarthost, 'host'>,
  clock: Clock,
  addressesOf: Addresses = bySystem,
): Router {
  let known: { route: Promise<Route>; until: number } | undefined;
  return {
    async route() {
      const now = clock.now().getTime();
      if (!known || known.until <= now) known = { route: find(host, addressesOf), until: now + keepMs };
      const route = await known.route;
      if (route.kind !== 'hosts') known = undefined;
      return route;
    },
  };
}

async function find(host: string, addressesOf: Addresses): Promise<Route> {
  try {
    const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
    return { kind: 'hosts', hosts: [{ name: host, preference: 0, addresses, tlsa: [] }] };
  } catch {
    // Deferred, never bounced: the configuration is at fault, not the recipient.
    return { kind: 'error', reason: 'failed' };
  }
}
