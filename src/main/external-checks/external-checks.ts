import { createProvider } from '../../accounts/single-sign-on/provider.ts';
import type { Config } from '../../base/config.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { Check } from '../../installation/check.ts';
import { configuredResolver } from '../platform-services.ts';
import { checkBaseUrl } from './check-base-url.ts';
import { checkCertificate, checkOrderedCertificate } from './check-certificate.ts';
import { checkDisk } from './check-disk.ts';
import { checkPort25 } from './check-port-25.ts';
import { checkReverseDns } from './check-reverse-dns.ts';
import { checkZone } from './check-zone.ts';

const lookAround = 'Look at the resolvers (CHASQUI_DNS_SERVERS) and the network of this machine.';

/** What the installation depends on outside of its database, as this machine sees it. */
export function externalChecks({ db, config }: { db: Queryable; config: Config }): Check[] {
  const resolver = configuredResolver(config);
  return [
    {
      name: 'base URL',
      action: 'Set CHASQUI_BASE_URL to the address by which people reach this installation.',
      look: async () => await checkBaseUrl(db, config),
    },
    { name: 'platform zone', action: lookAround, look: async () => await checkZone(db, config, resolver) },
    {
      name: 'reverse DNS',
      action: lookAround,
      look: async () => await checkReverseDns(db, config, resolver),
    },
    { name: 'port 25', action: lookAround, look: async () => await checkPort25(config, resolver) },
    {
      name: 'certificate',
      action: 'Put a certificate in PEM where CHASQUI_TLS_CERT_FILE says, readable to the service.',
      look: async () => {
        const { acme_directory } = config;
        return acme_directory === undefined
          ? await checkCertificate(config, new Date())
          : await checkOrderedCertificate(db, { ...config, acme_directory }, new Date());
      },
    },
    {
      name: 'single sign-on',
      action:
        'Correct CHASQUI_OIDC_ISSUER, CHASQUI_OIDC_CLIENT_ID or CHASQUI_OIDC_CLIENT_SECRET, or the client at the provider.',
      look: async () =>
        config.oidc
          ? await createProvider(config.oidc, config.base_url).examine()
          : { skipped: 'no provider is set' },
    },
    {
      name: 'disk',
      action: 'Let the service read the folder of CHASQUI_DATA_DIR.',
      look: async () => await checkDisk(config),
    },
  ];
}
