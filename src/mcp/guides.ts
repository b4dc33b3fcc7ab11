import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFor } from '../base/cached-for.ts';

const folder = path.resolve(import.meta.dirname, '../../docs');

/** The guides that are served, and nothing else of the folder: for integrators first, then for operators. */
export const guides = {
  agents: 'the short guide for an agent that has an API key',
  mcp: 'the MCP server: how to connect a client, every tool, and how to keep an agent harmless',
  sending: 'the send operation: content, recipients, attachments, what is refused and what is dropped',
  sandbox: 'test recipients that script a bounce, an open or a complaint',
  smtp: 'settings, rules, limits and replies of SMTP submission',
  frameworks: 'settings and code for Next.js, Django, Laravel and Rails, over SMTP and HTTP',
  templates: 'saved templates, their placeholders and their limits',
  explanations: 'why a mail did or did not arrive: every cause, with what to do',
  activity: 'finding mails, their log, opens, clicks, bounces, statistics and exports',
  statuses: 'every status of mails, consents, forms, privacy requests, domains and webhooks',
  'bounces-and-complaints': 'what comes back by mail and what becomes of it',
  suppressions: 'who is not written to and why, and how to import and export them',
  tracking: 'how opens and clicks are recorded, and which of them are of machines',
  webhooks: 'events at an endpoint of yours as they happen: payloads, signatures, retries',
  domains: 'from zero to a verified sending domain',
  consent: 'recording consents as evidence and asking for the verdict',
  alerts: 'what needs attention: rules, the bell, mail and webhooks',
  rights: 'privacy requests under the data protection law: access, erasure, opposition, blocking',
  forms: 'hosted forms with double opt-in',
  contacts: 'what is known about a contact, and importing contacts with the proof of their consent',
  broadcasts: 'one message to everyone who agreed to a purpose: audience, schedule, report, proof',
  receiving: 'inbound routes, received mail, answers and forwards',
  delivery: 'how mail goes out: retries, pace, TLS, sources',
  retention: 'how long mail is kept',
  switching: 'code written for Resend, Postmark or SendGrid, by one variable',
  'managing-by-api': 'setting everything up by a program: keys, names of your own, and a complete script',
  contract: 'what the service promises, section by section',
  compatibility: 'what stays the same between versions',
  panel: 'the panel: pages, roles, signing in with tokens',
  installing: 'installing the service: container image, Compose, systemd, Kubernetes',
  'single-sign-on': 'sign-in to the panel by an OpenID Connect provider',
  operating: 'running the service: roles, configuration, metrics, limits',
  monitoring: 'watching the service: metrics, dashboard, alerts, logs',
  scaling: 'how much an installation carries, when to add nodes, split instances, and failover of PostgreSQL',
  backup: 'backing up and restoring, and moving to another database',
  upgrading: 'going to a newer version, also node by node',
} as const;
export type GuideName = keyof typeof guides;

/** Those that there are in Spanish too, for the people who answer to persons under Chilean law. */
export const spanishGuides: readonly GuideName[] = ['rights'];

const spanishTexts = new Map(
  spanishGuides.map((name) => [
    name as string,
    cachedFor(Infinity, async () => await readFile(path.join(folder, 'es', `${name}.md`), 'utf8')),
  ]),
);

/** Undefined where there is no translation. */
export async function spanishGuideText(name: string): Promise<string | undefined> {
  return await spanishTexts.get(name)?.();
}

/** For people who look for one. */
export const guideGroups: readonly { heading: string; names: readonly GuideName[] }[] = [
  {
    heading: 'Send mail from a program',
    names: [
      'sending',
      'smtp',
      'frameworks',
      'sandbox',
      'domains',
      'templates',
      'webhooks',
      'receiving',
      'activity',
      'statuses',
      'explanations',
      'managing-by-api',
      'switching',
    ],
  },
  { heading: 'Let an agent use Chasqui', names: ['mcp', 'agents'] },
  {
    heading: 'Marketing and legal',
    names: [
      'panel',
      'broadcasts',
      'contacts',
      'consent',
      'forms',
      'rights',
      'suppressions',
      'tracking',
      'retention',
      'alerts',
    ],
  },
  {
    heading: 'Operate an installation',
    names: [
      'installing',
      'operating',
      'backup',
      'upgrading',
      'scaling',
      'monitoring',
      'delivery',
      'bounces-and-complaints',
      'single-sign-on',
    ],
  },
  { heading: 'What you can rely on', names: ['contract', 'compatibility'] },
];

export function isGuide(name: string): name is GuideName {
  return Object.hasOwn(guides, name);
}

/** Read once: they are part of the release. */
const texts = Object.fromEntries(
  Object.keys(guides).map((name) => [
    name,
    cachedFor(Infinity, async () => await readFile(path.join(folder, `${name}.md`), 'utf8')),
  ]),
) as Record<GuideName, () => Promise<string>>;

export async function guideText(name: GuideName): Promise<string> {
  return await texts[name]();
}

/** The resource `chasqui://guide`. */
export async function agentGuide(): Promise<string> {
  return await guideText('agents');
}

export async function guideTitle(name: GuideName): Promise<string> {
  const [heading = name] = (await guideText(name)).split('\n', 1);
  return heading.replace(/^# /, '');
}
