import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { connectToData, prepareActivity } from './support/activity-data.ts';
import { copyOut } from './support/copy-out.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';
import { targetOf } from './support/targets.ts';

/**
 * Lists, statistics and exports over very many mails while others are being accepted: `npm run bench -- activity
 * [mails]`, 10 million unless said. The data is made once and kept (see activity-data.ts). Requests come one after the
 * other, each with other values.
 */
const rounds = Number(process.env['ROUNDS'] ?? 200);
const acceptedPerSecond = 200;

interface Case {
  name: string;
  path: (round: number) => string;
}

interface Measured {
  name: string;
  p50: number;
  p99: number;
}

const agent = new Agent({ connections: 64, keepAliveTimeout: 60_000 });

interface Caller {
  base_url: string;
  headers: Record<string, string>;
}

async function get(caller: Caller, where: string): Promise<{ status: number; text: string; ms: number }> {
  const began = performance.now();
  const { statusCode, body } = await request(`${caller.base_url}${where}`, {
    headers: caller.headers,
    dispatcher: agent,
  });
  const text = await body.text();
  return { status: statusCode, text, ms: performance.now() - began };
}

async function measure(caller: Caller, { name, path: pathOf }: Case): Promise<Measured> {
  const times: number[] = [];
  for (let round = -5; round < rounds; round += 1) {
    const { status, text, ms } = await get(caller, pathOf(Math.max(0, round)));
    if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
    if (round >= 0) times.push(ms);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { name, p50: at(0.5), p99: at(0.99) };
}

interface Sample {
  to: string;
  msg_id: string;
  custom_group_code: string | null;
}

/** Mails from all over the time, to ask for. */
async function sampleMails(caller: Caller): Promise<Sample[]> {
  const mails: Sample[] = [];
  for (let page = 1; page <= 10; page += 1) {
    const day = new Date(Date.now() - page * 8 * 86_400_000).toISOString().slice(0, 10);
    const { text } = await get(caller, `/v1/mails?end_date=${day}&page_size=100`);
    mails.push(...(JSON.parse(text) as { data: Sample[] }).data);
  }
  return mails;
}

function casesOf(mails: Sample[]): Case[] {
  const labelled = mails.filter(({ custom_group_code }) => custom_group_code !== null);
  const one = (round: number, from: Sample[] = mails): Sample => {
    const mail = from[(round * 37) % from.length];
    if (!mail) throw new Error('there is nothing to ask for');
    return mail;
  };
  return [
    { name: 'no filter', path: () => '/v1/mails' },
    { name: 'no filter, page 100', path: () => '/v1/mails?page=100' },
    { name: 'recipient', path: (n) => `/v1/mails?recipient=${encodeURIComponent(one(n).to)}` },
    {
      name: 'recipient, its beginning',
      path: (n) =>
        `/v1/activities/sent?recipient_operator=starts_with&recipient=${encodeURIComponent(one(n).to.slice(0, 8))}`,
    },
    { name: 'msg_id', path: (n) => `/v1/mails?msg_id=${one(n).msg_id}` },
    {
      name: 'custom_group_code',
      path: (n) => `/v1/mails?custom_group_code=${one(n, labelled).custom_group_code}`,
    },
    { name: 'tag, a rare one', path: (n) => `/v1/mails?tag=customer:${n * 37}` },
    { name: 'tag of one mail in ten', path: () => '/v1/mails?tag=plan:plan-4' },
    { name: 'tag of one mail in ten, page 100', path: () => '/v1/mails?tag=plan:plan-4&page=100' },
    { name: 'tag of one mail in ten, status 6', path: () => '/v1/mails?tag=plan:plan-4&status=6' },
    { name: 'two tags', path: (n) => `/v1/mails?tag=plan:plan-4&tag=customer:${n * 37}` },
    { name: 'tag, no such', path: (n) => `/v1/mails?tag=plan:none-${n}` },
    { name: 'status 6 (4 % of mails)', path: () => '/v1/mails?status=6' },
    { name: 'status 6, page 100', path: () => '/v1/mails?status=6&page=100' },
    { name: 'status 7 (none)', path: () => '/v1/mails?status=7' },
    { name: 'opened', path: () => '/v1/mails?opened=opened' },
    { name: 'subject, a rare word (1 of 50,000)', path: () => '/v1/mails?subject=zanzibar' },
    { name: 'subject, no such word', path: (n) => `/v1/mails?subject=nowhere${n}` },
    { name: 'subject, a common word (1 of 10)', path: () => '/v1/mails?subject=order' },
    { name: 'opens', path: () => '/v1/activities/opens' },
    { name: 'opens by message', path: () => '/v1/activities/opens?group_by=msg_id' },
    { name: 'opens by message, page 100', path: () => '/v1/activities/opens?group_by=msg_id&page=100' },
    { name: 'clicks by mail', path: () => '/v1/activities/clicks?group_by=mail_id' },
    { name: 'bounced', path: () => '/v1/activities/bounced' },
    { name: 'statistics, three months by day', path: () => '/v1/stats/overview' },
    {
      name: 'statistics, a day by hour',
      path: () => `/v1/stats/overview?interval=hour&start_date=${new Date().toISOString().slice(0, 10)}`,
    },
  ];
}

/** Sends at a steady rate until it is told to stop; how many were accepted. */
function acceptMeanwhile(service: ServiceUnderTest): () => Promise<number> {
  const body = JSON.stringify({
    sender_email: `test@${service.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Benchmark',
    html: `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(65)}</p>`,
  });
  const headers = {
    authorization: `Bearer ${service.api_key}`,
    'x-instance-slug': service.slug,
    'content-type': 'application/json',
  };
  let accepted = 0;
  const under_way = new Set<Promise<void>>();
  const send = async (): Promise<void> => {
    const { statusCode, body: answer } = await request(`${service.base_url}/v1/mails/send`, {
      method: 'POST',
      headers,
      body,
      dispatcher: agent,
    });
    await answer.dump();
    if (statusCode === 200) accepted += 1;
  };
  const timer = setInterval(() => {
    for (let each = 0; each < acceptedPerSecond / 20; each += 1) {
      // A request that is cut off at the end was not accepted.
      const sending = send()
        .catch(() => undefined)
        .finally(() => under_way.delete(sending));
      under_way.add(sending);
    }
  }, 50);
  return async () => {
    clearInterval(timer);
    await Promise.all(under_way);
    return accepted;
  };
}

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

interface Transfer {
  name: string;
  rows: number;
  seconds: number;
  grown_mb?: number;
}

async function exportOnce(service: ServiceUnderTest, caller: Caller, query: string): Promise<Transfer> {
  const before = residentOf(service.pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentOf(service.pid))), 20);
  const began = performance.now();
  const { body, statusCode } = await request(`${caller.base_url}/v1/activities/sent/export?${query}`, {
    headers: caller.headers,
    dispatcher: agent,
  });
  if (statusCode !== 200) throw new Error(await body.text());
  let rows = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
  }
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1000;
  // Beside the rows: the header, or the first line and the last two.
  return { name: query, rows: rows - (query.includes('json') ? 2 : 1), seconds, grown_mb: most - before };
}

/** In turns, so that all of them see the same machine. */
async function measureExports(
  service: ServiceUnderTest,
  caller: Caller,
  data_dir: string,
): Promise<string[]> {
  const days = 17;
  const from = new Date(Date.now() - 40 * 86_400_000);
  const [start, end] = [0, days].map((more) =>
    new Date(from.getTime() + more * 86_400_000).toISOString().slice(0, 10),
  );
  const client = await connectToData(data_dir);
  const copy = async (): Promise<Transfer> => {
    const began = performance.now();
    const rows = await copyOut(
      client,
      `select mail_id, msg_id, recipient, subject, sender_email, status, opens, clicks, received_at, queued_at, sent_at,
         null::timestamptz, extract(epoch from sent_at - received_at)::double precision, custom_msg_id, custom_group_code
       from mails where instance_id = 1 and mail_id >= uuid_at('${start}Z')
         and mail_id < uuid_at(timestamptz '${end}Z' + interval '1 day') order by mail_id desc`,
    );
    return { name: 'copy', rows, seconds: (performance.now() - began) / 1000 };
  };
  const query = `tz=UTC&start_date=${start}&end_date=${end}`;
  const measured: Transfer[][] = [];
  for (let round = 0; round < 3; round += 1) {
    measured.push([
      await copy(),
      await exportOnce(service, caller, query),
      await exportOnce(service, caller, `${query}&format=json`),
    ]);
  }
  await client.end();
  return ['COPY … TO STDOUT (format csv)', 'export as CSV', 'export as JSON'].map((name, index) => {
    const [best] = measured
      .map((round) => round[index])
      .filter((each) => each !== undefined)
      .toSorted((a, b) => a.seconds - b.seconds);
    const ratios = measured.map((round) => (round[0]?.seconds ?? 0) / (round[index]?.seconds ?? 1));
    const ratio = ratios.toSorted((a, b) => a - b)[1] ?? 0;
    const grown = Math.max(...measured.map((round) => round[index]?.grown_mb ?? 0));
    const rate = Math.round((best?.rows ?? 0) / (best?.seconds ?? 1));
    return `| ${name} | ${best?.rows} | ${rate} | ${ratio.toFixed(2)} | ${index === 0 ? '' : grown.toFixed(0)} | ${targetOf('activity', name)} |`;
  });
}

export async function benchActivity(): Promise<void> {
  const scale = Number(process.argv[3] ?? 10_000_000);
  const data = await prepareActivity(scale);
  const service = await startServiceUnderTest(
    'api,jobs',
    { CHASQUI_DATA_DIR: data.data_dir },
    { caller: data.sender },
  );
  const caller = {
    base_url: service.base_url,
    headers: { authorization: `Bearer ${data.api_key}`, 'x-instance-slug': data.slug },
  };
  try {
    const cases = casesOf(await sampleMails(caller));
    const stop = acceptMeanwhile(service);
    const began = performance.now();
    const measured: Measured[] = [];
    for (const each of cases) {
      measured.push(await measure(caller, each));
      process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`);
    }
    const accepted = await stop();
    const rate = Math.round(accepted / ((performance.now() - began) / 1000));
    const transfers = await measureExports(service, caller, data.data_dir);
    const lines = [
      `${scale} mails and twice as many events over 88 days, 100 instances, asked for the one with half of them, while ${rate} mails/s were accepted. ${rounds} requests one after the other, over HTTP.`,
      '',
      '| page 1 of | p50 ms | p99 ms | target |',
      '|---|---|---|---|',
      ...measured.map(
        ({ name, p50, p99 }) =>
          `| ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${targetOf('activity', name)} |`,
      ),
      '',
      '| export, nothing else under way | rows | rows/s, best of 3 | × COPY, median | memory grew by MB | target |',
      '|---|---|---|---|---|---|',
      ...transfers,
    ];
    keepResults(`activity, ${scale / 1_000_000} million mails`, lines);
    console.log(lines.join('\n'));
  } finally {
    await service.stop();
    await agent.close();
  }
}
