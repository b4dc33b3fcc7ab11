import assert from 'node:assert/strict';
import { readFileSync, renameSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { RootSecret } from '../../src/base/secrets.ts';
import { TrackingTokens } from '../../src/track/tracking-token.ts';
import { fatalLine, makeBed, type Bed, type Ready } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';

/** Bounds are for a machine with a core to spare; on a busier one everything takes longer. */
function slack(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

async function send({ base_url, demo }: Ready): Promise<number> {
  const response = await fetch(`${base_url}/v1/mails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo?.api_key}`,
      'x-instance-slug': demo?.slug ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      sender_email: `test@${demo?.slug}.sandbox.test`,
      to: [{ email: 'delivered@sandbox.test' }],
      subject: 'Killed',
      html: '<p>Hello</p>',
    }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** A link as it stands in mail that went out. */
function linkTo(url: string, { data_dir }: Bed, { base_url }: Ready): string {
  const secret = new RootSecret(readFileSync(path.join(data_dir, 'secret'), 'utf8').trim());
  const tokens = new TrackingTokens(secret);
  const target = tokens.target(url);
  assert.ok(target);
  return `${base_url}/c/${tokens.of({ mail_id: uuidv7(), instance_id: 1 }).click(target)}${target.tail}`;
}

async function click(link: string): Promise<string> {
  const response = await fetch(link, { redirect: 'manual' });
  await response.arrayBuffer();
  return `${response.status} ${response.headers.get('location')}`;
}

test('a database that is killed is started again: clicks redirect meanwhile, and sends come back', async (t) => {
  const bed = makeBed(t);
  const service = await bed.serve();
  const { ready, child, exited, stderr } = service;
  const link = linkTo('https://example.com/offer?a=1', bed, ready);
  const found = '302 https://example.com/offer?a=1';
  assert.deepEqual([await send(ready), await click(link)], [200, found]);
  // Twice, since a second crash must not find it exhausted.
  for (let round = 0; round < 2; round += 1) {
    const pid = bed.postgresPid() ?? 0;
    process.kill(pid, 'SIGKILL');
    const began = performance.now();
    assert.equal(await click(link), found);
    const statuses: number[] = [];
    await waitFor(
      async () => {
        assert.equal(await click(link), found);
        statuses.push(await send(ready));
        return statuses.at(-1) === 200 && bed.postgresPid() !== pid;
      },
      { timeout_ms: 15_000 * slack(), interval_ms: 20, what: () => `a send: ${statuses.join()} ${stderr()}` },
    );
    t.diagnostic(`sends again ${Math.round(performance.now() - began)} ms after kill -9`);
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status !== 503),
      [],
    );
  }
  assert.match(stderr(), /the embedded database ended and is restarted/);
  assert.match(stderr(), /ended by signal 9/);
  child.kill('SIGTERM');
  assert.equal((await exited).code, 0);
  assert.equal(bed.postgresPid(), undefined);
});

test('a database that cannot be started again ends the service with a clear line, and no new one is made', async (t) => {
  const bed = makeBed(t);
  const { ready, exited } = await bed.serve();
  const cluster = path.join(bed.data_dir, 'postgres');
  const pid = bed.postgresPid() ?? 0;
  renameSync(cluster, `${cluster}-away`);
  process.kill(pid, 'SIGKILL');
  const began = performance.now();
  const { code, stderr } = await exited;
  t.diagnostic(`gave up after ${Math.round(performance.now() - began)} ms`);
  assert.equal(code, 1);
  assert.match(
    fatalLine(stderr),
    /^The embedded PostgreSQL ended and did not run again after 6 attempts\. There is no database in /,
  );
  assert.ok(performance.now() - began < 30_000 * slack());
  renameSync(`${cluster}-away`, cluster);
  const next = await bed.serve();
  assert.equal(await send({ ...next.ready, ...(ready.demo ? { demo: ready.demo } : {}) }), 200);
});
