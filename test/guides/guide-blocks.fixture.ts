import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** In the order in which a new user reads them: who sends mail, who answers for it, who runs the service. */
export const guides = [
  'README',
  'docs/sending',
  'docs/smtp',
  'docs/sandbox',
  'docs/tracking',
  'docs/activity',
  'docs/statuses',
  'docs/explanations',
  'docs/suppressions',
  'docs/bounces-and-complaints',
  'docs/domains',
  'docs/consent',
  'docs/forms',
  'docs/contacts',
  'docs/broadcasts',
  'docs/receiving',
  'docs/rights',
  'docs/webhooks',
  'docs/alerts',
  'docs/switching',
  'docs/delivery',
  'docs/retention',
  'docs/panel',
  'docs/templates',
  'docs/frameworks',
  'docs/mcp',
  'docs/managing-by-api',
  'docs/installing',
  'docs/operating',
  'docs/monitoring',
  'docs/backup',
];

/** Blocks that a test machine cannot run, by how they begin. */
export const elsewhere: readonly { guide: string; starts: string; why: string }[] = [
  { guide: 'README', starts: 'npm ci && npm start', why: 'an install of its own: scripts/first-mail.ts' },
  { guide: 'README', starts: 'npm ci && npm test', why: 'is what runs' },
  { guide: 'docs/operating', starts: 'npm ci && npm prune', why: 'takes away what tests need' },
  { guide: 'docs/installing', starts: 'apt-get update', why: 'root and systemd: test/deploy.test.ts' },
  { guide: 'docs/installing', starts: 'docker compose', why: 'Docker: test/deploy-run.test.ts' },
  { guide: 'docs/installing', starts: 'cd deploy', why: 'Docker: test/deploy-run.test.ts' },
  { guide: 'docs/installing', starts: 'kubectl', why: 'Kubernetes: test/deploy-kubernetes.test.ts' },
  { guide: 'docs/mcp', starts: 'claude mcp add', why: 'a program of others' },
  { guide: 'docs/mcp', starts: 'npx @modelcontextprotocol', why: 'npx loads it from the network' },
];

/** Programs that a reader may have or not; their blocks are followed where they are installed. */
export const optional = ['dig', 'swaks', 'openssl'];

export const guideText = (guide: string): string => readFileSync(path.join(root, `${guide}.md`), 'utf8');

/** Every page that could have commands. */
export const pages: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()].map(
  (page) => page.replace(/\.md$/, ''),
);

export interface Block {
  language: string;
  text: string;
}

/** The fenced blocks of a page; those in lists are indented. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^( *)```(\S*)\n([^]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', block = '']) => ({
      language,
      text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** The walk of the operators has a test of its own, in which DNS changes under it: operating-walk.test.ts. */
export const withoutWalk = (text: string): string =>
  text.replace(/^## From an empty machine to a sending domain$[^]*?(?=^## )/m, '');

/** What is typed into a shell, and can be here. */
export function commandsOf(guide: string): string[] {
  const there = elsewhere.filter((entry) => entry.guide === guide);
  return (
    blocksOf(withoutWalk(guideText(guide)))
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => text)
      // Whole scripts have a test of their own: managing-walk.test.ts.
      .filter((text) => !text.startsWith('#!') && !there.some(({ starts }) => text.startsWith(starts)))
  );
}
