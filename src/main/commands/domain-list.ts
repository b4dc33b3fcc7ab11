import { systemClock } from '../../base/clock.ts';
import { findDomainByName, listDomains } from '../../domains/domains.ts';
import { validateDomain } from '../../domains/validate-domain.ts';
import { instance, wordOf, type Command } from '../command.ts';
import { configuredResolver } from '../platform-services.ts';
import { table } from '../table.ts';
import { describe, standing } from './domain.ts';
import { everyPage } from '../../base/http/every-page.ts';
import { withInstance } from './with-store.ts';

export const domainList: Command = {
  name: 'domain list',
  arguments: '--instance S',
  summary: 'Lists the domains of an instance and the states of their records.',
  options: { instance },
  example: 'chasqui domain list --instance acme',
  async run(input) {
    return await withInstance(input, async (db, { id }, { config: { platform_domain } }) => {
      const data = await everyPage(
        async (filters) => await listDomains(db, id, { filters, platform_domain }),
      );
      const text = table(data, {
        id: (domain) => domain.id,
        domain: (domain) => domain.domain,
        state: standing,
        mx: ({ mx_status }) => mx_status,
        spf: ({ spf_status }) => spf_status,
        dkim: ({ dkim_status }) => dkim_status,
        dmarc: ({ dmarc_status }) => dmarc_status,
      });
      return { text, json: { data } };
    });
  },
};

export const domainValidate: Command = {
  name: 'domain validate',
  arguments: '--instance S DOMAIN',
  summary: 'Looks the records of a domain up in DNS and stores their states; exits 1 until it is verified.',
  options: { instance },
  example: 'chasqui domain validate --instance acme mail.acme.cl',
  async run(input) {
    const name = wordOf(input, 'the domain');
    return await withInstance(input, async (db, { id: instanceId }, { config }) => {
      const id = await findDomainByName(db, instanceId, name);
      const { platform_domain } = config;
      const how = { platform_domain, resolver: configuredResolver(config), clock: systemClock };
      const domain = await validateDomain(db, instanceId, { id, ...how });
      // A script can wait for it.
      if (!domain.is_verified) process.exitCode = 1;
      return { text: describe(domain), json: domain };
    });
  },
};
