import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/base/config.ts';
import { findCommand, maxWords } from '../../src/main/command.ts';
import { loadCommands } from '../../src/main/commands.ts';
import { blocksOf, commandsOf, elsewhere, guides, guideText, pages } from './guide-blocks.fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('every page with commands is followed', () => {
  const withCommands = pages.filter((page) =>
    blocksOf(guideText(page)).some(({ language }) => language === 'sh'),
  );
  assert.ok(withCommands.length > 20, `${withCommands.length} pages`);
  assert.deepEqual(withCommands.toSorted(), guides.toSorted());
});

test('commands for a shell are marked as such', () => {
  const typed = /^\s*(?:\$ |sudo |curl |npx |npm |chasqui |docker |kubectl |systemctl |[A-Z_]+=\S+ n)/m;
  const hidden = pages.flatMap((page) =>
    blocksOf(guideText(page))
      .filter(
        ({ language, text }) =>
          ['', 'bash', 'shell', 'console', 'text'].includes(language) && typed.test(text),
      )
      .map(({ text }) => `${page}: ${text.split('\n')[0]}`),
  );
  // A line of the program, not of a shell.
  assert.deepEqual(
    hidden.filter((line) => !line.includes('chasqui: The database has migration')),
    [],
  );
});

test('few blocks wait for another machine, and each of them is there', () => {
  assert.ok(elsewhere.length <= 9, `${elsewhere.length} blocks`);
  for (const { guide, starts } of elsewhere) {
    const found = blocksOf(guideText(guide)).filter(
      ({ language, text }) => language === 'sh' && text.startsWith(starts),
    );
    assert.equal(found.length, 1, `${guide}: ${starts}`);
  }
  const followed = guides.flatMap((guide) => commandsOf(guide));
  assert.ok(followed.length > 90, `${followed.length} blocks are followed`);
});

test('settings of the guides are settings of the service, with values that it takes', () => {
  const known = new Set(
    [...readFileSync(path.join(root, '.env.example'), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const blocks = pages.flatMap((page) =>
    blocksOf(guideText(page)).filter(
      ({ language, text }) => language === 'ini' && text.startsWith('CHASQUI_'),
    ),
  );
  assert.ok(blocks.length >= 3, `${blocks.length} blocks`);
  for (const { text } of blocks) {
    const lines = [...text.matchAll(/^(\w+)=('[^']*'|\S+)/gm)];
    const env = Object.fromEntries(
      lines.map(([, name = '', value = '']) => [name, value.replaceAll("'", '').replace('…', 'x')]),
    );
    assert.equal(lines.length, text.trim().split('\n').length, text);
    for (const name of Object.keys(env)) assert.ok(known.has(name), name);
    readConfig(env);
  }
});

test('commands within sentences exist, with their options', async () => {
  const commands = await loadCommands([]);
  const spans = pages.flatMap((page) =>
    [
      ...guideText(page)
        .replaceAll(/^( *)```[^]*?^\1```$/gm, '')
        .matchAll(/`([^`]*?\bchasqui [a-z][^`]*)`/g),
    ].map(([, span = '']) => ({ page, line: span.replaceAll(/\s+/g, ' ') })),
  );
  assert.ok(spans.length > 60, `${spans.length} commands`);
  for (const { page, line } of spans) {
    const [, typed = ''] = /.*\bchasqui ([a-z][^|;&>)]*)/.exec(line) ?? [];
    const words = [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      (match) => match[1] ?? match[2] ?? match[3] ?? '',
    );
    const found = findCommand(commands, words);
    const isGroup = commands.some(({ name }) => name.startsWith(`${words.join(' ')} `));
    assert.ok(found ?? isGroup, `${page}: ${line}`);
    if (!found) continue;
    const names = Object.entries({ ...found.command.options, json: { type: 'boolean' as const } });
    const options = Object.fromEntries(names.map(([name, { type }]) => [name, { type }]));
    const { positionals } = parseArgs({ args: found.rest, options, allowPositionals: true });
    assert.ok(positionals.length <= maxWords(found.command), `${page}: ${line}`);
  }
});
