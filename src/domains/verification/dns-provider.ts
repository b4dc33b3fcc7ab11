export const dnsProviders = ['cloudflare', 'godaddy', 'google', 'namecheap', 'nic_chile', 'route53'] as const;
export type DnsProvider = (typeof dnsProviders)[number];

/** Each gives its customers name servers of these names. */
const nameServersOf: Record<DnsProvider, RegExp> = {
  cloudflare: /\.ns\.cloudflare\.com$/,
  godaddy: /\.domaincontrol\.com$/,
  google: /\.googledomains\.com$/,
  namecheap: /\.(?:registrar-servers|namecheaphosting)\.com$/,
  nic_chile: /\.nic\.cl$/,
  route53: /\.awsdns-\d+\.(?:com|net|org|co\.uk)$/,
};

/** Undefined where they are of no provider that we know, or of several: then it is unknown where records are edited. */
export function providerOf(nameServers: string[]): DnsProvider | undefined {
  const providers = new Set(
    nameServers.map((server) => dnsProviders.find((provider) => nameServersOf[provider].test(server))),
  );
  // NIC Chile is a secondary beside another provider's primary, where the records are edited.
  if (providers.size > 1) providers.delete('nic_chile');
  const [provider] = providers;
  return providers.size === 1 ? provider : undefined;
}
