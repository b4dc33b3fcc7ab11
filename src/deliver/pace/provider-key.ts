import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { BoundedMap } from '../../protocol/bounded-map.ts';

/** Providers that take mail under several registered domains, by the domain of the MX host. */
const aliases: Record<string, string> = {
  'googlemail.com': 'google.com',
  'smtp.goog': 'google.com',
  'hotmail.com': 'outlook.com',
  'live.com': 'outlook.com',
  'mx.microsoft': 'outlook.com',
  'yahoo.com': 'yahoodns.net',
  'aol.com': 'yahoodns.net',
  'me.com': 'icloud.com',
  'apple.com': 'icloud.com',
  'ppe-hosted.com': 'pphosted.com',
  'gpphosted.com': 'pphosted.com',
  'mimecast.co.za': 'mimecast.com',
  'mimecast-offshore.com': 'mimecast.com',
  'barracuda.com': 'barracudanetworks.com',
  'web.de': 'gmx.net',
  'ionos.com': 'kundenserver.de',
  'ionos.de': 'kundenserver.de',
  'ionos.es': 'kundenserver.de',
  'zoho.eu': 'zoho.com',
  'zoho.in': 'zoho.com',
  'zohomail.com': 'zoho.com',
  'yandex.ru': 'yandex.net',
  'ovh.com': 'ovh.net',
};

/**
 * Whose patience a connection to this MX host uses up: all of Google's hosts are one provider, and so are all hosts
 * below one registered domain. An address is a provider of its own.
 */
export function providerOf(host: string): string {
  return providers.getOrSet(host, () => findProvider(host));
}

/** Asked for several times a mail, and a walk through the public suffixes each time. */
const providers = new BoundedMap<string, string>({ max_entries: 10_000 });

function findProvider(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name) !== 0) return name;
  const suffixed = Object.keys(aliases).find((alias) => name === alias || name.endsWith(`.${alias}`));
  if (suffixed !== undefined) return aliases[suffixed] ?? suffixed;
  // Customers of a dynamic-DNS or hosting suffix are strangers to each other, hence the private suffixes.
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}
