import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeBed, type Ready, type ServiceProcess } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';

const skip = process.platform === 'linux' ? false : 'the figures are read from /proc';

/** Megabytes of the service's own process; the database's are its own affair. */
function memoryOf({ child }: ServiceProcess, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

async function comesDownTo(service: ServiceProcess, megabytes: number): Promise<void> {
  await waitFor(() => memoryOf(service) < megabytes, { timeout_ms: 120_000, what: `${megabytes} MB` }).catch(
    () => assert.fail(`the service still has ${Math.round(memoryOf(service))} MB`),
  );
}

/** As many sends as that, some at a time, by the instance that a first start makes. */
async function send(count: number, base_url: string, demo: Ready['demo']): Promise<void> {
  const body = JSON.stringify({
    sender_email: `test@${demo?.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Memory',
    html: `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(65)}</p>`,
  });
  const headers = {
    authorization: `Bearer ${demo?.api_key}`,
    'x-instance-slug': demo?.slug ?? '',
    'content-type': 'application/json',
  };
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await fetch(`${base_url}/v1/mails/send`, { method: 'POST', headers, body });
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
}

test('an idle service takes under 150 MB, a busy one under 400, and gives them back', { skip }, async (t) => {
  const bed = makeBed(t);
  // What a first start compiles is kept for the second, which is how services start.
  const first = await bed.serve();
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');

  const service = await bed.serve([], { CHASQUI_MEMORY_REST_SECONDS: '5' });
  await comesDownTo(service, 150);
  const idle = memoryOf(service);

  const { demo } = first.ready;
  await bed.json(['instance', 'set', demo?.slug ?? '', 'requests_per_second=0']);
  await send(4_000, service.ready.base_url, demo);
  const peak = memoryOf(service, 'VmHWM');
  assert.ok(peak < 400, `${peak} MB at most`);
  // A third of what the load took: it gives 45 to 65 % back, and without the collection nothing. One that took next to nothing
  // leaves nothing to give back.
  const givenBack = idle + Math.max((peak - idle) * (2 / 3), 30);
  t.diagnostic(
    `${Math.round(idle)} MB idle, ${Math.round(peak)} MB at most, then under ${Math.round(givenBack)} MB`,
  );
  await comesDownTo(service, givenBack);
});
