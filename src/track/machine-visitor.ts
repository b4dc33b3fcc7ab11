import type { IncomingHttpHeaders } from 'node:http';
import { BoundedMap } from '../protocol/bounded-map.ts';

export interface Visitor {
  method: string;
  headers: IncomingHttpHeaders;
}

/** User agents of crawlers, link previews, libraries and mail scanners. */
const programs = new RegExp(
  [
    // CUBOT is a brand of phones.
    '(?<!cu)bot\\b',
    'bots?[/;) ]',
    'crawl',
    'spider',
    'slurp',
    'scan(?:ner|ning)',
    'preview',
    'prefetch',
    'monitor',
    'headless',
    'phantomjs',
    'facebookexternalhit',
    'whatsapp',
    'embedly',
    'barracuda',
    'mimecast',
    'proofpoint',
    'urldefense',
    'safelinks',
    'symantec',
    'messagelabs',
    'trendmicro',
    'forcepoint',
    'cloudmark',
    'fireeye',
    'virustotal',
    'existence discovery',
    '^curl/',
    '^wget/',
    '^python',
    'aiohttp',
    'httpx/',
    '^java/',
    'apache-httpclient',
    'go-http-client',
    'libwww-perl',
    'node-fetch',
    '^axios/',
    '^undici',
    '^node$',
    '^ruby',
    'guzzle',
    '^php',
    'winhttp',
  ].join('|'),
  'i',
);

/** Fetch images on behalf of a person who reads the mail; they follow no links. */
const imageProxies = /GoogleImageProxy|YahooMailProxy/i;

/** Apple's Mail Privacy Protection prefetches everything and sends only this. */
const privacyProxy = /^Mozilla\/5\.0$/;

const announcements = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const;
const announced = /prefetch|prerender|preview/i;

/** Whether the request was made by a program, as far as it can be told. */
export function isMachine(event: 'opened' | 'clicked', { method, headers }: Visitor): boolean {
  const agent = headers['user-agent']?.trim() ?? '';
  if (method !== 'GET' || agent === '' || privacyProxy.test(agent)) return true;
  for (const name of announcements) {
    const value = headers[name];
    if (value !== undefined && announced.test(String(value))) return true;
  }
  const kind = kindOf(agent);
  return kind === 'program' || (kind === 'image_proxy' && event === 'clicked');
}

type AgentKind = 'person' | 'program' | 'image_proxy';

/** Few user agents make most of the visits, and matching one takes longer than the rest of an answer. */
const known = new BoundedMap<string, AgentKind>({ max_entries: 5_000 });
const longestKnown = 300;

function kindOf(agent: string): AgentKind {
  const found = known.get(agent);
  if (found !== undefined) return found;
  const other = programs.test(agent) ? 'program' : 'person';
  const kind = imageProxies.test(agent) ? 'image_proxy' : other;
  if (agent.length > longestKnown) return kind;
  known.set(agent, kind);
  return kind;
}
