import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult, Task } from './support/http-load.ts';
import { havePostfix, smtpSource, startPostfix, type Postfix } from './support/postfix.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';
import { haveCompiler, loadWithSmtp, type SmtpTask } from './support/smtp-load.ts';
import { haveWrk, loadWithWrk } from './support/wrk.ts';

/**
 * Durable accept: 3 KB of JSON over HTTP and the same amount over SMTP submission, answered after the commit, everything
 * on, beside postfix taking the same amount into its queue. Rounds alternate, so that all see the same machine. Needs
 * Debian's postfix and wrk for the peer and for a load tool that leaves the processor alone.
 */
const run = promisify(execFile);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const seconds = Number(process.env['SECONDS'] ?? 6);
const connections = 64;
const bytes = 3000;
const messages = 4000;
/** As the service comes: with two processors for it and PostgreSQL, a second thread makes batches smaller and gains nothing. */
const threads = Number(process.env['THREADS'] ?? 1);
/** Rounds until what runs in Node is compiled: in its first 10,000 messages one takes half as much again. */
const warm_up = 2;

interface Round {
  per_second: number;
  p50_ms?: number;
  p99_ms?: number;
  cpu_us?: number;
  ratio?: number;
}

/** Processor time of the service's own process so far, in microseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '');
  const [user, system] = stat.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}

async function loadHttp(service: ServiceUnderTest, recipients: number): Promise<Round> {
  const task: Task = {
    base_url: service.base_url,
    path: '/v1/mails/send',
    headers: {
      authorization: `Bearer ${service.api_key}`,
      'x-instance-slug': service.slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      sender_email: `test@${service.slug}.sandbox.test`,
      to: Array.from({ length: recipients }, (_, index) => ({ email: `r${index}@sandbox.test` })),
      subject: 'Benchmark',
      html: `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(65)}</p>`,
    }),
    connections,
    seconds,
  };
  const cpu = cpuOf(service.pid);
  const result = haveWrk()
    ? await loadWithWrk(task, seconds)
    : await inOwnProcess<LoadResult>('http-load.ts', task);
  if (result.failures > 0) throw new Error(`${result.failures} sends were refused`);
  return { ...result, cpu_us: (cpuOf(service.pid) - cpu) / (result.per_second * seconds) };
}

async function loadSmtp(service: ServiceUnderTest, reuse: boolean): Promise<Round> {
  const { username, password } = (await service.command(
    'smtp-credential',
    'create',
    '--instance',
    service.slug,
    '--name',
    'bench',
  )) as { username: string; password: string };
  const task: SmtpTask = {
    address: service.submission.starttls,
    username,
    password,
    from: `test@${service.slug}.sandbox.test`,
    to: 'delivered@sandbox.test',
    bytes,
    connections: 20,
    messages: reuse ? 2 * messages : messages,
    reuse,
  };
  const cpu = cpuOf(service.pid);
  const { per_second } = await loadWithSmtp(task);
  return { per_second, cpu_us: (cpuOf(service.pid) - cpu) / task.messages };
}

async function inOwnProcess<Result>(name: string, task: object): Promise<Result> {
  const tool = path.join(import.meta.dirname, 'support', name);
  const { stdout } = await run(process.execPath, [tool, JSON.stringify(task)]);
  return JSON.parse(stdout) as Result;
}

interface Case {
  name: string;
  run: () => Promise<Round>;
  measured: Round[];
}

function casesOf(service: ServiceUnderTest, postfix: Postfix | undefined): Case[] {
  const peer = (reuse: boolean) => async (): Promise<Round> => ({
    per_second: postfix ? await smtpSource(postfix.port, { messages, bytes, reuse }) : 0,
  });
  const cases: [string, () => Promise<Round>][] = [
    ['postfix, sessions reused', peer(true)],
    ['postfix, new session each', peer(false)],
    [`HTTP, 1 recipient, ${connections} connections`, async () => await loadHttp(service, 1)],
    [`HTTP, 10 recipients, ${connections} connections`, async () => await loadHttp(service, 10)],
    ['SMTP submission, sessions reused', async () => await loadSmtp(service, true)],
    ['SMTP submission, new session each', async () => await loadSmtp(service, false)],
  ];
  return cases.slice(postfix ? 0 : 2).map(([name, measure]) => ({ name, run: measure, measured: [] }));
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function row({ name, measured }: Case, peer: Case | undefined): string {
  const cell = (key: keyof Round, digits: number): string => {
    const values = measured.flatMap((round) => round[key] ?? []);
    return values.length === 0 ? '' : median(values).toFixed(digits);
  };
  const ratio = peer
    ? median(
        measured.map(({ per_second }, index) => per_second / (peer.measured[index]?.per_second ?? 1)),
      ).toFixed(2)
    : '';
  return `| ${name} | ${cell('per_second', 0)} | ${ratio} | ${cell('p50_ms', 1)} | ${cell('p99_ms', 1)} | ${cell('cpu_us', 0)} |`;
}

export async function benchAccept(): Promise<void> {
  // Without delivery, as postfix only holds what it takes.
  const service = await startServiceUnderTest('api,submission', {
    CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true',
    CHASQUI_THREADS: String(threads),
  });
  const postfix = havePostfix() ? await startPostfix() : undefined;
  try {
    const cases = casesOf(service, postfix);
    for (let round = 0; round < warm_up; round += 1) for (const each of cases) await each.run();
    for (let round = 0; round < rounds; round += 1)
      for (const each of cases) each.measured.push(await each.run());
    const [reused, fresh] = postfix ? cases : [];
    const lines = [
      `${rounds} rounds in turns; medians. ${bytes} bytes per message; the ratio is to postfix of the same round (HTTP and reused sessions to its reused ones). ${threads} ${threads === 1 ? 'thread takes' : 'threads take'} it in. Load tools: ${haveWrk() ? 'wrk' : 'Node'} and ${haveCompiler() ? 'C' : 'Node'}.`,
      '',
      '| | messages/s | × postfix | p50 ms | p99 ms | Node CPU µs/message |',
      '|---|---|---|---|---|---|',
      ...cases.map((each) => row(each, each.name.includes('new session') ? fresh : reused)),
    ];
    keepResults('accept', lines);
    console.log(lines.join('\n'));
  } finally {
    postfix?.stop();
    await service.stop();
  }
}
