import { boundedText } from '../../base/db/storable-text.ts';
import type { Lookup } from '../verification/check-result.ts';
import type { AskProvider } from './provider-client.ts';

export interface ConnectProvider {
  /** For people. */
  name: string;
  sync_url: URL;
  api_url: URL;
}

export interface Discovery {
  ask: AskProvider;
  /** For tests: allows http, with a port in the TXT record. */
  allow_insecure: boolean;
}

const maxNameLength = 80;

/** Undefined where the provider of the zone does not speak Domain Connect, or did not answer. */
export async function discoverProvider(
  zone: string,
  { resolver, signal }: Lookup,
  discovery: Discovery,
): Promise<ConnectProvider | undefined> {
  const found = await resolver.txt(`_domainconnect.${zone}`, { signal });
  if (found.kind !== 'found') return undefined;
  const settings = settingsUrl(found.records[0] ?? '', zone, discovery);
  if (!settings) return undefined;
  const answer = await discovery.ask(settings, signal).catch(() => undefined);
  return answer?.status === 200 ? readSettings(answer.body, discovery) : undefined;
}

/** Whether the provider was given the template. */
export async function hasTemplate(
  { api_url }: ConnectProvider,
  { providerId, serviceId }: { providerId: string; serviceId: string },
  { ask, signal }: { ask: AskProvider; signal: AbortSignal },
): Promise<boolean> {
  const url = below(api_url, `v2/domainTemplates/providers/${providerId}/services/${serviceId}`);
  const answer = await ask(url, signal).catch(() => undefined);
  return answer?.status === 200;
}

/** The path of a URL with more behind it. */
export function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/$/, '')}/${path}`;
  url.search = '';
  url.hash = '';
  return url;
}

/** The record has a host, perhaps with a path: `api.domainconnect.example/dc`. */
function settingsUrl(text: string, zone: string, { allow_insecure }: Discovery): URL | undefined {
  const [, prefix, port] =
    /^((?:[a-z0-9_-]+\.)+[a-z0-9-]+(?<port>:\d{1,5})?(?:\/[\w.~-]+){0,8})\/?$/i.exec(text.slice(0, 500)) ??
    [];
  if (prefix === undefined || (port !== undefined && !allow_insecure)) return undefined;
  const scheme = port === undefined ? 'https' : 'http';
  return URL.parse(`${scheme}://${prefix}/v2/${zone}/settings`) ?? undefined;
}

function readSettings(body: string, discovery: Discovery): ConnectProvider | undefined {
  const settings = parsed(body);
  const sync_url = serviceUrl(settings['urlSyncUX'], discovery);
  const api_url = serviceUrl(settings['urlAPI'], discovery);
  if (!sync_url || !api_url) return undefined;
  const name = [settings['providerDisplayName'], settings['providerName']].find(
    (each) => typeof each === 'string',
  );
  return { name: boundedText(name, maxNameLength) ?? sync_url.hostname, sync_url, api_url };
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A link that people follow: https only, without credentials. */
function serviceUrl(value: unknown, { allow_insecure }: Discovery): URL | undefined {
  const url = typeof value === 'string' && value.length <= 500 ? URL.parse(value) : null;
  if (!url || url.username !== '' || url.password !== '') return undefined;
  return url.protocol === 'https:' || (allow_insecure && url.protocol === 'http:') ? url : undefined;
}
