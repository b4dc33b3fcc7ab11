import { providerOf } from './provider-key.ts';

/** Providers by name in metrics. All others are `other`: the number of series must not grow with the recipients. */
const names: Record<string, string> = {
  'google.com': 'google',
  'outlook.com': 'microsoft',
  'yahoodns.net': 'yahoo',
  'icloud.com': 'apple',
  'pphosted.com': 'proofpoint',
  'mimecast.com': 'mimecast',
  'barracudanetworks.com': 'barracuda',
  'gmx.net': 'gmx',
  'kundenserver.de': 'ionos',
  'ovh.net': 'ovh',
  'zoho.com': 'zoho',
  'yandex.net': 'yandex',
  'messagingengine.com': 'fastmail',
  'protonmail.ch': 'proton',
  'secureserver.net': 'godaddy',
  'amazonaws.com': 'amazon',
  sandbox: 'sandbox',
};

export const providerLabels: readonly string[] = [...Object.values(names), 'other', 'none'];

/** `none` where no server was chosen: the destination has no route, or the mail was not attempted. */
export function providerLabel(host: string | undefined): string {
  return host === undefined ? 'none' : providerKeyLabel(providerOf(host));
}

export function providerKeyLabel(provider: string): string {
  return names[provider] ?? 'other';
}
