import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { BoundedMap } from '../../protocol/bounded-map.ts';

/** Providers with MX hosts under several registered domains. */
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
 * The provider behind an MX host, which is the unit of throttling: all hosts below one registered domain, or several
 * domains of one company (`aliases`). An IP address is its own provider.
 */
export function providerOf(host: string): string {
  return providers.getOrSet(host, () => findProvider(host));
}

/** A cache: the public suffix lookup would run several times per mail. */
const providers = new BoundedMap<string, string>({ max_entries: 10_000 });

function findProvider(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name) !== 0) return name;
  const suffixed = Object.keys(aliases).find((alias) => name === alias || name.endsWith(`.${alias}`));
  if (suffixed !== undefined) return aliases[suffixed] ?? suffixed;
  // Customers of a dynamic-DNS or hosting suffix are independent of each other, hence the private suffixes.
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}
