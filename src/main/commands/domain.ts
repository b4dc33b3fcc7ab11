import type { Config } from '../../base/config.ts';
import type { Database } from '../../base/db/database.ts';
import { openPlatformSender, type PlatformSenderOptions } from '../../domains/platform-sender.ts';
import {
  createDomain,
  deleteDomain,
  reinstateDomain,
  revokeDomain,
  rotateDkim,
} from '../../domains/change-domain.ts';
import type { Domain } from '../../domains/domain-schemas.ts';
import { findDomainByName, getDomain } from '../../domains/domains.ts';
import { writeDnsConfiguration } from '../../domains/dns-configuration-mail.ts';
import { listDkimPublicKeys } from '../../domains/dns-role.ts';
import type { DnsRecord } from '../../domains/verification/dns-records.ts';
import { zoneFile } from '../../domains/zone/zone-file.ts';
import { instance, required, wordOf, type Command } from '../command.ts';
import { platformZoneData } from '../dns-listener.ts';
import { createPlatformMailer } from '../platform-mailer.ts';
import { platformMailLimits } from '../platform-services.ts';
import { openRootSecret } from '../root-secret.ts';
import { commandAcceptance } from './command-acceptance.ts';
import { reservedDomainNotice } from './reserved-domain.ts';
import { operator, withInstance, withStore } from './with-store.ts';

export function describe(domain: Domain): string {
  const { mx, spf, dkim, dmarc, ownership_cname } = domain.dns_records;
  const line = (name: string, status: string, record: DnsRecord): string =>
    `  ${name.padEnd(10)}${status.padEnd(10)}${record.host}  ${record.type}  ${record.priority ?? ''} ${record.value}`;
  const ownership = domain.is_ownership_verified ? 'verified' : 'pending';
  return [
    `${domain.domain} (id ${domain.id}): ${standing(domain)}`,
    line('mx', domain.mx_status, mx),
    line('spf', domain.spf_status, spf),
    ...dkim.map((record) => line('dkim', domain.dkim_status, record)),
    line('dmarc', domain.dmarc_status, dmarc),
    line('ownership', ownership, ownership_cname),
    ...Object.entries(domain.check_reasons).map(([name, reason]) => `  ${name}: ${reason}`),
  ].join('\n');
}

export function standing({ is_verified, is_revoked_by_operator }: Domain): string {
  if (is_revoked_by_operator) return 'revoked by the operator';
  return is_verified ? 'verified' : 'not verified';
}

export const domainCreate: Command = {
  name: 'domain create',
  arguments: '--instance S DOMAIN',
  summary: 'Registers a sending domain, makes its DKIM keys and prints the DNS records to publish.',
  options: { instance },
  example: 'chasqui domain create --instance acme mail.acme.cl',
  async run(input) {
    const name = wordOf(input, 'the domain');
    return await withInstance(input, async (db, { id: instanceId, slug }, { config }) => {
      const { platform_domain } = config;
      const secret = await openRootSecret(db, config);
      const id = await createDomain(db, instanceId, {
        domain: name,
        platform_domain,
        secret,
        actor: operator,
      });
      const domain = await getDomain(db, instanceId, { id, platform_domain });
      const notice = reservedDomainNotice({ domain: domain.domain, platform_domain, slug });
      if (notice === undefined) return { text: describe(domain), json: domain };
      return { text: `${describe(domain)}\n\n${notice}`, json: { ...domain, notice } };
    });
  },
};

type Change = typeof revokeDomain;

function domainCommand(verb: string, summary: string, change?: Change): Command {
  return {
    name: `domain ${verb}`,
    arguments: '--instance S DOMAIN',
    summary,
    options: { instance },
    example: `chasqui domain ${verb} --instance acme mail.acme.cl`,
    async run(input) {
      const name = wordOf(input, 'the domain');
      return await withInstance(input, async (db, { id: instanceId }, { config }) => {
        const { platform_domain } = config;
        const id = await findDomainByName(db, instanceId, name);
        if (change) await db.transaction(async (tx) => await change(tx, instanceId, { id, actor: operator }));
        if (change === deleteDomain) return { text: `${name} is deleted.`, json: { id, domain: name } };
        const domain = await getDomain(db, instanceId, { id, platform_domain });
        return { text: describe(domain), json: domain };
      });
    },
  };
}

export const domainShow = domainCommand(
  'show',
  'Shows a domain: its states, its records, and why a check failed.',
);
export const domainDelete = domainCommand('delete', 'Deletes a domain and its senders.', deleteDomain);
export const domainRevoke = domainCommand(
  'revoke',
  'Ends a domain, in every instance that has it, until you reinstate it.',
  revokeDomain,
);
export const domainReinstate = domainCommand(
  'reinstate',
  'Gives a revoked domain back, in every instance that has it; it must be validated again.',
  reinstateDomain,
);
export const domainRotateDkim = domainCommand(
  'rotate-dkim',
  'Signs with the other DKIM key from now on; both stay published.',
  rotateDkim,
);

/** Keys sealed with another secret could not be opened. */
async function platformSender(db: Database, config: Config): Promise<PlatformSenderOptions> {
  const { platform_domain } = config;
  const secret = await openRootSecret(db, config);
  return { platform_domain, secret };
}

export const domainSendDns: Command = {
  name: 'domain send-dns',
  arguments: '--instance S DOMAIN --to ADDRESS',
  summary: 'Mails the DNS records of a domain to the person who manages its zone.',
  options: { instance, to: { type: 'string', about: 'Where to send them.' } },
  example: 'chasqui domain send-dns --instance acme mail.acme.cl --to dns@acme.cl',
  async run(input) {
    const name = wordOf(input, 'the domain');
    const to = required(input, 'to');
    const mail = await withInstance(input, async (db, { id: instanceId }, context) => {
      const { config } = context;
      const sender = await platformSender(db, config);
      const { platform_domain } = config;
      const id = await findDomainByName(db, instanceId, name);
      const wanted = { id, to, platform_domain, mail_limits: platformMailLimits(config), actor: operator };
      const written = await db.transaction(async (tx) => await writeDnsConfiguration(tx, instanceId, wanted));
      await createPlatformMailer({ db, acceptance: await commandAcceptance(context), ...sender })(written);
      return written;
    });
    return {
      text: `The records of ${name} are on their way to ${mail.to}.`,
      json: { domain: name, to: mail.to },
    };
  },
};

export const zonefile: Command = {
  name: 'zonefile',
  arguments: '',
  summary: 'Prints the zone of the platform, for name servers other than role dns.',
  options: {},
  example: 'chasqui zonefile > chasqui.zone',
  async run({ env }) {
    return await withStore(env, async (db, { config }) => {
      // Secondaries take a zone anew when its serial grows.
      const data = { ...platformZoneData(config), serial: Math.floor(Date.now() / 1000) };
      await openPlatformSender(db, await platformSender(db, config));
      const text = zoneFile(data, await listDkimPublicKeys(db, config.platform_domain));
      return { text: text.trimEnd(), json: { zonefile: text } };
    });
  },
};
