import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { request } from 'undici';
import { connectToData, prepareActivity } from './support/activity-data.ts';
import { addPerson } from './support/person-data.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest } from './support/service-under-test.ts';
import { targetOf } from './support/targets.ts';

/**
 * The archive and the erasure of one person among very many: `npm run bench -- rights [mails]`, 200,000 unless said. The
 * person has `PERSON_MAILS` of them, 10,000 unless said.
 */
const mailsOfPerson = Number(process.env['PERSON_MAILS'] ?? 10_000);

type Call = (method: 'GET' | 'POST', where: string, body?: unknown) => ReturnType<typeof request>;

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Runs something and gives its seconds and by how much the node grew meanwhile. */
async function watch<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ seconds: number; grown_mb: number; value: T }> {
  const before = residentOf(pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentOf(pid))), 20);
  const began = performance.now();
  const value = await work();
  clearInterval(timer);
  return { seconds: (performance.now() - began) / 1000, grown_mb: most - before, value };
}

async function ask(call: Call, kind: string, contact: string): Promise<string> {
  const contacts = [{ contact, contact_type: 'email_address' }];
  const { statusCode, body } = await call('POST', '/v1/rights-requests', { kind, contacts });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(text);
  return `/v1/rights-requests/${(JSON.parse(text) as { id: number }).id}`;
}

/** Bytes of the archive; it is read as fast as it comes. */
async function download(call: Call, where: string): Promise<number> {
  const { statusCode, body } = await call('GET', `${where}/archive`);
  if (statusCode !== 200) throw new Error(await body.text());
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) bytes += piece.length;
  return bytes;
}

/** The oldest transaction that wrote something, looked at every few milliseconds. */
function watchTransactions(client: Client): () => Promise<number> {
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - xact_start) * 1000)::float as ms from pg_stat_activity
         where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`,
      );
      longest = Math.max(longest, rows[0]?.ms ?? 0);
      await sleep(5);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longest;
  };
}

async function erase(call: Call, where: string): Promise<void> {
  await (await call('POST', `${where}/fulfil`, {})).body.dump();
  for (let status = 'open'; status !== 'fulfilled'; await sleep(100)) {
    status = ((await (await call('GET', where)).body.json()) as { status: string }).status;
  }
}

export async function benchRights(): Promise<void> {
  const scale = Number(process.argv[3] ?? 200_000);
  const data = await prepareActivity(scale);
  const service = await startServiceUnderTest(
    'api,jobs',
    { CHASQUI_DATA_DIR: data.data_dir },
    { caller: data.sender },
  );
  const headers = { authorization: `Bearer ${data.api_key}`, 'x-instance-slug': data.slug };
  const call: Call = async (method, where, body) =>
    await request(`${service.base_url}${where}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const client = await connectToData(data.data_dir);
  try {
    const person = await addPerson(client, data.slug, mailsOfPerson);
    const access = await ask(call, 'access', person);
    const archive = await watch(service.pid, async () => await download(call, access));
    const again = await watch(service.pid, async () => await download(call, access));
    const erasure = await ask(call, 'erasure', person);
    const stop = watchTransactions(client);
    const erased = await watch(service.pid, async () => await erase(call, erasure));
    const longest = await stop();
    const row = (name: string, { seconds, grown_mb }: typeof erased | typeof archive, more: string): string =>
      `| ${name} | ${seconds.toFixed(1)} | ${grown_mb.toFixed(0)} | ${more} | ${targetOf('rights', name)} |`;
    const size = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
    const lines = [
      `One person with ${mailsOfPerson} mails of 3 KB and their events, among ${scale} mails of 100 instances; half of these are in the person's. Memory is that of the node that serves and runs the jobs, without the database. The first archive after a start grows it by more: the young generation of a new process is small. The time of an erasure has up to ten seconds in which the job has not started.`,
      '',
      '| | seconds | memory grew by MB | | target |',
      '|---|---|---|---|---|',
      row('archive, the first after the start', archive, size(archive.value)),
      row('archive, once more', again, size(again.value)),
      row('erasure', erased, `longest transaction ${longest.toFixed(0)} ms`),
    ];
    keepResults(`rights, ${scale / 1_000_000} million mails`, lines);
    console.log(lines.join('\n'));
  } finally {
    await client.end();
    await service.stop();
  }
}
