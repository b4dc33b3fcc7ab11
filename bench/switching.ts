import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult, Task } from './support/http-load.ts';
import { processorTime } from './support/processor-time.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';

/** What a send in the form of another service costs beside `/v1/mails/send`: processor time of the service, in turns. */
const rounds = Number(process.env['ROUNDS'] ?? 9);
const requests = Number(process.env['REQUESTS'] ?? 2_000);
const connections = 8;
const target = 1.1;
const execute = promisify(execFile);

interface Case {
  name: string;
  path: string;
  headers: Record<string, string>;
  body: object;
  /** Of the service, for one request. */
  measured_us: number[];
}

const html = `<html><body>${'<p>Thank you for your order. It is on its way.</p>'.repeat(100)}</body></html>`;

/** Ours first. */
function casesOf({ slug, api_key }: ServiceUnderTest): Case[] {
  const from = `test@${slug}.sandbox.test`;
  const to = 'delivered@sandbox.test';
  const subject = 'Your order 1001';
  const authorization = `Bearer ${api_key}`;
  const bearer = { authorization };
  return [
    {
      name: 'POST /v1/mails/send',
      path: '/v1/mails/send',
      headers: { authorization, 'x-instance-slug': slug },
      body: { sender_email: from, to: [{ email: to }], subject, html },
      measured_us: [],
    },
    {
      // As the mail of SendGrid is stored: what its group and its place in it cost is no cost of the form.
      name: 'POST /v1/mails/send with custom_msg_id and custom_group_code',
      path: '/v1/mails/send',
      headers: { authorization, 'x-instance-slug': slug },
      body: {
        sender_email: from,
        to: [{ email: to }],
        subject,
        html,
        custom_msg_id: 'order-1001',
        custom_group_code: '0193e2f0-0000-7000-8000-000000000000',
      },
      measured_us: [],
    },
    {
      name: 'Resend, POST /emails',
      path: '/emails',
      headers: bearer,
      body: { from, to, subject, html },
      measured_us: [],
    },
    {
      name: 'Postmark, POST /email',
      path: '/email',
      headers: { 'x-postmark-server-token': api_key },
      body: { From: from, To: to, Subject: subject, HtmlBody: html },
      measured_us: [],
    },
    {
      name: 'SendGrid, POST /v3/mail/send',
      path: '/v3/mail/send',
      headers: bearer,
      body: {
        personalizations: [{ to: [{ email: to }] }],
        from: { email: from },
        subject,
        content: [{ type: 'text/html', value: html }],
      },
      measured_us: [],
    },
  ];
}

async function measure(service: ServiceUnderTest, { name, path: at, headers, body }: Case): Promise<number> {
  const task: Task = {
    base_url: service.base_url,
    method: 'POST',
    path: at,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    connections,
    requests,
  };
  const tool = path.join(import.meta.dirname, 'support/http-load.ts');
  const before = processorTime(service.pid).own_us;
  const { stdout } = await execute(process.execPath, [tool, JSON.stringify(task)]);
  const spent = processorTime(service.pid).own_us - before;
  const { failures } = JSON.parse(stdout) as LoadResult;
  if (failures > 0) throw new Error(`${name}: ${failures} requests were refused`);
  return spent / requests;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function row({ name, measured_us }: Case, ours: Case): string {
  // Of each round on its own: other work on the machine comes and goes.
  const ratios = measured_us.map((us, round) => us / (ours.measured_us[round] ?? Number.NaN));
  return `| ${name} | ${median(measured_us).toFixed(0)} | ${median(ratios).toFixed(2)} |`;
}

export async function benchSwitching(): Promise<void> {
  const service = await startServiceUnderTest('api');
  try {
    const cases = casesOf(service);
    for (const one of cases) await measure(service, one);
    for (let round = 0; round < rounds; round += 1) {
      for (const one of cases) one.measured_us.push(await measure(service, one));
    }
    const [ours] = cases;
    if (!ours) return;
    const lines = [
      `${rounds} rounds of ${requests} sends per case, in turns, ${connections} connections, ${html.length} bytes of HTML, nothing delivered; medians of the processor time of the service itself. The target is at most ${target} × ours.`,
      '',
      '| | µs a send | × ours |',
      '|---|---|---|',
      ...cases.map((one) => row(one, ours)),
    ];
    console.log(lines.join('\n'));
    keepResults('switching', lines);
  } finally {
    await service.stop();
  }
}
