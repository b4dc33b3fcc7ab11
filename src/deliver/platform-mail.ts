import ipaddr from 'ipaddr.js';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { Problem } from '../base/errors/problem.ts';
import type { SendPlatformMail } from '../base/platform-mail.ts';
import type { Resolver } from '../protocol/dns/resolver.ts';
import { isLoopback } from '../protocol/smtp-client/authenticate.ts';
import { readSmarthost } from './route/smarthost.ts';

interface PlatformMailerOptions {
  resolver: Resolver;
  /** URL of a relay that takes all mail, instead of each recipient's own server. */
  smarthost: string | undefined;
  mx_port: number;
  mx_allow_private: boolean;
  /** The name to greet with. */
  hostname: string;
}

interface Target {
  address: string;
  name: string;
}

const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
const most_targets = 4;

/** Hands a mail of the platform to its recipient's server while the caller waits: it arrives now or is refused now. */
export function createPlatformMailer(options: PlatformMailerOptions): SendPlatformMail {
  return async (mail) => {
    const message: SendMailOptions = { ...mail, headers: { 'Auto-Submitted': 'auto-generated' } };
    if (options.smarthost) {
      await handOver(throughSmarthost(options.smarthost), message);
      return;
    }
    const failures: string[] = [];
    for (const target of await findTargets(mail.to.slice(mail.to.lastIndexOf('@') + 1), options)) {
      try {
        await handOver(direct(target, options), message);
        return;
      } catch (error) {
        failures.push(`${target.name}: ${(error as Error).message}`);
      }
    }
    throw new Problem('service_unavailable', {
      detail: 'The mail could not be handed to the server of its recipient.',
      cause: new Error(failures.join('; ') || 'no usable mail server'),
    });
  };
}

async function handOver(
  transport: ReturnType<typeof createTransport>,
  message: SendMailOptions,
): Promise<void> {
  try {
    await transport.sendMail(message);
  } finally {
    transport.close();
  }
}

/** As customers' mail goes there: credentials only over TLS, unless it is on this machine. */
function throughSmarthost(url: string) {
  const { host, credentials } = readSmarthost(url);
  const requireTLS = credentials !== undefined && host !== 'localhost' && !isLoopback(host);
  return createTransport({ url, requireTLS, tls: { rejectUnauthorized: requireTLS }, ...timeouts });
}

function direct({ address, name }: Target, { mx_port, hostname }: PlatformMailerOptions) {
  // Opportunistic TLS, as between mail servers: a certificate that nobody vouches for still beats plain text.
  return createTransport({
    host: address,
    port: mx_port,
    name: hostname,
    tls: { servername: name, rejectUnauthorized: false },
    ...timeouts,
  });
}

/** The recipient's servers by preference; without MX records its own address stands for one (RFC 5321 §5.1). */
async function findTargets(
  domain: string,
  { resolver, mx_allow_private }: PlatformMailerOptions,
): Promise<Target[]> {
  const mx = await resolver.mx(domain);
  const names =
    mx.kind === 'found'
      ? mx.records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
      : [domain];
  const targets: Target[] = [];
  for (const name of names.filter(Boolean).slice(0, most_targets)) {
    const found = await resolver.addresses(name);
    const addresses = found.kind === 'found' ? found.records : [];
    const usable = addresses.filter(
      (address) => mx_allow_private || ipaddr.process(address).range() === 'unicast',
    );
    targets.push(...usable.map((address) => ({ address, name })));
  }
  return targets.slice(0, most_targets);
}
