import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { makeBed, type Bed, type ServiceProcess } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';
import type { SmallSender, SmallSends } from './small-sends.fixture.ts';

const skip = process.platform === 'linux' ? false : 'the figures are read from /proc';
const bodies = 180;
const senders = 3;
/** In base64 12.6 MB. */
const file = Buffer.alloc(9_450_000, 'x').toString('base64');
const mostMegabytes = 1_000;
/** On a machine that is busy with nothing else. */
const longestWaitMs = 1_500;

interface Sender {
  slug: string;
  headers: Record<string, string>;
}

/** An instance without limits of its own that would refuse before memory does. */
async function addSender(bed: Bed, slug: string): Promise<Sender> {
  await bed.json(['instance', 'create', '--slug', slug, '--name', slug]);
  const plenty = String(2_000_000_000);
  const bandwidth = [`bandwidth_bytes_per_second=${plenty}`, `bandwidth_burst_bytes=${plenty}`];
  const attachments = `attachment_limit_bytes=${10 * 1024 * 1024}`;
  await bed.json(['instance', 'set', slug, 'requests_per_second=0', attachments, ...bandwidth]);
  const { api_key } = await bed.json([
    'api-key',
    'create',
    '--instance',
    slug,
    '--name',
    'a',
    '--scopes',
    'all',
  ]);
  const headers = {
    authorization: `Bearer ${String(api_key)}`,
    'x-instance-slug': slug,
    'content-type': 'application/json',
  };
  return { slug, headers };
}

function mailOf({ slug }: Sender, more: object = {}): string {
  return JSON.stringify({
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Memory',
    html: '<p>Hello</p>',
    ...more,
  });
}

/** Stops sending when it is answered, as clients do. */
async function post(
  url: string,
  { headers }: Sender,
  body: Buffer,
): Promise<{ status: number; retry: boolean }> {
  const sending = request(url, {
    method: 'POST',
    agent: new Agent(),
    headers: { ...headers, 'content-length': body.length },
  });
  sending.on('error', () => undefined);
  sending.end(body);
  const [answer] = await once(sending, 'response');
  answer.resume();
  await once(answer, 'end');
  sending.destroy();
  return { status: answer.statusCode, retry: Number(answer.headers['retry-after']) >= 1 };
}

function megabytesOf({ child }: ServiceProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Milliseconds for which the service's main thread had a processor, and for which it waited for one. */
function timesOf({ child }: ServiceProcess): { ran: number; waited: number } {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8')
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / 1e6);
  return { ran, waited };
}

async function sentBy(base_url: string, { headers }: Sender): Promise<number> {
  const answer = await fetch(`${base_url}/v1/mails?page_size=1`, { headers });
  const { pagination } = (await answer.json()) as { pagination: { total_items: number } };
  return pagination.total_items;
}

test(
  `${bodies} bodies of 12 MB at once take under 1 GB, and small mail of others goes on`,
  { skip },
  async (t) => {
    const bed = makeBed(t);
    const service = await bed.serve();
    const { base_url } = service.ready;
    const url = `${base_url}/v1/mails/send`;
    const large = await Promise.all(
      Array.from({ length: senders }, async (_, index) => await addSender(bed, `large-${index}`)),
    );
    const other = await addSender(bed, 'other');
    const attachments = [{ type: 'application/pdf', filename: 'a.pdf', content: file }];
    const contents = large.map((sender) => Buffer.from(mailOf(sender, { attachments })));

    const data: SmallSender = { url, headers: other.headers, body: mailOf(other) };
    const worker = new Worker(new URL('small-sends.fixture.ts', import.meta.url), { workerData: data });
    await waitFor(async () => (await sentBy(base_url, other)) >= 20, {
      what: 'small mail',
      timeout_ms: 30_000,
    });
    const before = timesOf(service);
    const answers = await Promise.all(
      Array.from({ length: bodies }, async (_, index) => {
        const of = index % senders;
        return { of, ...(await post(url, large[of] as Sender, contents[of] as Buffer)) };
      }),
    );
    const after = timesOf(service);
    worker.postMessage('stop');
    const [{ times_ms, refused }] = (await once(worker, 'message')) as [SmallSends];

    const peak = megabytesOf(service);
    const slowdown = 1 + (after.waited - before.waited) / (after.ran - before.ran);
    const longest = Math.max(...times_ms);
    t.diagnostic(
      `${Math.round(peak)} MB; of ${times_ms.length} small mails none took over ${Math.round(longest)} ms`,
    );
    t.diagnostic(
      `the service had to wait for a processor: everything took ${slowdown.toFixed(1)} times as long`,
    );
    assert.ok(peak < mostMegabytes, `${peak} MB at most`);
    assert.deepEqual(refused, []);
    assert.ok(longest < longestWaitMs * slowdown, `${longest} ms, slowed down ${slowdown} times`);

    const statuses = new Set(answers.map(({ status }) => status));
    for (const status of statuses) assert.ok([200, 429, 503].includes(status), `${status}`);
    assert.ok(statuses.has(200), 'some were taken');
    assert.ok(statuses.size > 1, 'not all were');
    for (const { status, retry } of answers) assert.equal(retry, status !== 200);
    for (const [index, sender] of large.entries()) {
      const taken = answers.filter(({ of, status }) => of === index && status === 200).length;
      assert.equal(await sentBy(base_url, sender), taken, 'what was answered 200 is there, and nothing else');
    }
  },
);
