import { isIP } from 'node:net';
import type { Config } from '../../base/config.ts';
import { isReservedName } from '../../protocol/dns/reserved-names.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';
import { openSession } from '../../protocol/smtp-client/open-session.ts';
import { Session } from '../../protocol/smtp-client/session.ts';
import { CheckFailure, type Skipped } from '../../installation/check.ts';

/** Answers everybody, and from many places. */
const defaultHost = 'gmail-smtp-in.l.google.com';
const waitMs = 8_000;
const action =
  'Ask your provider to open port 25 outward, or deliver through a relay with CHASQUI_SMARTHOST. CHASQUI_PORT_25_HOST is the server that is tried.';

/** Many providers close port 25 to their customers: then no mail arrives anywhere. */
export async function checkPort25(config: Config, resolver: Resolver): Promise<string | Skipped> {
  const { port_25_host, smarthost, mx_port, platform_domain, mx_allow_private } = config;
  if (smarthost !== undefined) return { skipped: 'not tried: a smarthost delivers' };
  const isTestBed = mx_allow_private || isReservedName(platform_domain);
  if (port_25_host === undefined && isTestBed) return { skipped: 'not tried: this is a test bed' };
  const name = port_25_host ?? defaultHost;
  const host = isIP(name) === 0 ? await addressOf(name, resolver) : name;
  const session = await openSession({
    host,
    port: mx_port,
    ehlo_name: `mx.${platform_domain}`,
    tls: { mode: 'never', servername: name, verify: 'none' },
    timeouts: { connect: waitMs, greeting: waitMs, ehlo: waitMs },
  });
  if (session instanceof Session) {
    await session.quit();
    return `${name} answers at port ${mx_port}`;
  }
  // A reply, even a refusal, has come through the port.
  if (session.kind === 'reply') return `${name} answers ${session.code} at port ${mx_port}`;
  throw new CheckFailure(`${name} cannot be reached at port ${mx_port}: ${session.message}`, action);
}

async function addressOf(name: string, resolver: Resolver): Promise<string> {
  const outcome = await resolver.addresses(name);
  // IPv4 where there is any: a missing IPv6 route says nothing about the port.
  const address =
    outcome.kind === 'found'
      ? (outcome.records.find((each) => isIP(each) === 4) ?? outcome.records[0])
      : undefined;
  if (address !== undefined) return address;
  throw new CheckFailure(
    `${name} could not be resolved`,
    'Look at the resolvers: CHASQUI_DNS_SERVERS or /etc/resolv.conf.',
  );
}
