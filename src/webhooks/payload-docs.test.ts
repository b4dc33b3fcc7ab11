import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { compileValidator } from '../base/http/validation.ts';
import { bounceReasons } from '../events/index.ts';
import { dropReasons } from '../mails/index.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { publishedEvents } from './payload-schemas.ts';
import { createEndpoint, startWebhookBed, type WebhookBed } from './webhook-bed.fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');
const guide = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8');

let bed: WebhookBed;
before(async () => {
  await mkdir(path.join(root, 'node_modules/.cache'), { recursive: true });
  bed = await startWebhookBed();
});
after(async () => await bed.stop());

function blocks(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}

test('the guide shows the payload of every event, as the contract has it', () => {
  const shown = blocks('json').map((text) => JSON.parse(text) as unknown);
  assert.deepEqual(
    shown,
    publishedEvents.map(({ example }) => example),
  );
  for (const { name, schema, example } of publishedEvents) {
    assert.deepEqual(compileValidator(schema)(example), [], name);
    assert.ok(guide.includes(`### \`${name}\``), name);
  }
});

test('the reasons of the examples exist', () => {
  const reasonOf = (type: string): unknown => {
    const found = publishedEvents.find(({ name }) => name === type)?.example;
    return (found as { data: { reason: unknown } }).data.reason;
  };
  assert.ok((bounceReasons as readonly unknown[]).includes(reasonOf('mail.bounced')));
  assert.ok((dropReasons as readonly unknown[]).includes(reasonOf('mail.dropped')));
});

/** How the sample of each language is run. */
const receivers: Record<string, { program: string; suffix: string; command: Command }> = {
  js: { program: process.execPath, suffix: 'mjs', command: (file) => [process.execPath, file] },
  python: { program: 'python3', suffix: 'py', command: (file) => ['python3', file] },
  php: {
    program: 'php',
    suffix: 'php',
    command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
  // Built first: `go run` starts the receiver as a child, which outlives a signal to its parent.
  go: { program: 'go', suffix: 'go', command: buildWithGo },
};

type Command = (file: string, port: number) => [program: string, ...words: string[]];

function buildWithGo(file: string): [string] {
  const folder = path.dirname(file);
  const binary = path.join(folder, 'receiver');
  const env = { PATH: process.env['PATH'], HOME: folder, GOTOOLCHAIN: 'local' };
  const { status, stderr } = spawnSync('go', ['build', '-o', binary, file], { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return [binary];
}

for (const [language, { program, suffix, command }] of Object.entries(receivers)) {
  const skip = isInstalled(program) ? false : `${program} is not installed`;
  test(
    `the guide's receiver in ${language} takes what is signed with its secret and nothing else`,
    {
      skip,
    },
    async (t) => {
      const [sample = ''] = blocks(language);
      assert.notEqual(sample, '');
      const tenant = await bed.service.tenant();
      const port = await freePort();
      const { id, secret } = await createEndpoint(tenant, `http://127.0.0.1:${port}/hooks/mail`);
      // Below the project, where the sample finds the library that it uses.
      const folder = await mkdtemp(path.join(root, 'node_modules/.cache/receiver-'));
      t.after(async () => await rm(folder, { recursive: true, force: true }));
      const file = path.join(folder, `receiver.${suffix}`);
      await writeFile(file, sample);
      const [binary, ...words] = command(file, port);
      const receiver = spawn(binary, words, {
        env: { PATH: process.env['PATH'], HOME: folder, WEBHOOK_SECRET: secret, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      t.after(async () => {
        const closed = once(receiver, 'close');
        receiver.kill('SIGKILL');
        await closed;
      });
      let printed = '';
      receiver.stdout.on('data', (text: Buffer) => (printed += text.toString()));
      const ask = async () => (await tenant.api.post(`/v1/webhooks/${id}/test`)).json;
      const answer = await waitFor(
        async () => {
          const result = await ask();
          return result.status_code !== null && result;
        },
        { timeout_ms: 30_000, what: 'the receiver' },
      );
      assert.equal(answer.status_code, 204);
      await waitFor(() => /^msg_\S+ webhook\.test (?:null|None)?$/m.test(printed), {
        what: 'the event to be printed',
      });
      await tenant.api.post(`/v1/webhooks/${id}/rotate-secret`);
      assert.equal((await ask()).status_code, 204, 'within the grace of a rotation');
      await tenant.api.post(`/v1/webhooks/${id}/rotate-secret`);
      assert.equal((await ask()).status_code, 400, 'after it');
    },
  );
}

function isInstalled(program: string): boolean {
  return spawnSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
