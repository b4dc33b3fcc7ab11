import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { compileValidator } from '../base/http/validation.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { publishedEvents } from './payload-schemas.ts';
import { createEndpoint, startWebhookBed } from './webhook-bed.fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');
const guide = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8');

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

test("the guide's receiver takes what is signed with its secret and nothing else", async (t) => {
  const bed = await startWebhookBed();
  t.after(async () => await bed.stop());
  const tenant = await bed.service.tenant();
  const port = await freePort();
  const { id, secret } = await createEndpoint(tenant, `http://127.0.0.1:${port}/hooks/mail`);
  const [sample = ''] = blocks('js');
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', sample], {
    cwd: root,
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(async () => {
    receiver.kill();
    await once(receiver, 'exit');
  });
  let printed = '';
  receiver.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const ask = async () => (await tenant.api.post(`/v1/webhooks/${id}/test`)).json;
  const answer = await waitFor(
    async () => {
      const result = await ask();
      return result.status_code !== null && result;
    },
    { timeout_ms: 10_000, what: 'the receiver' },
  );
  assert.equal(answer.status_code, 204);
  await waitFor(() => /^msg_\S+ webhook\.test null$/m.test(printed), { what: 'the event to be printed' });
  await tenant.api.post(`/v1/webhooks/${id}/rotate-secret`);
  assert.equal((await ask()).status_code, 204, 'within the grace of a rotation');
  await tenant.api.post(`/v1/webhooks/${id}/rotate-secret`);
  assert.equal((await ask()).status_code, 400, 'after it');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
