import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startBareMail, type BareMail } from './support/bare-mail.ts';
import type { LoadResult, Task } from './support/http-load.ts';
import { havePostfix, smtpSource, startPostfix, type Postfix } from './support/postfix.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';
import { haveCompiler, loadWithSmtp, type SmtpTask } from './support/smtp-load.ts';
import { haveWrk, loadWithWrk } from './support/wrk.ts';

/**
 * Durable accept: 3 KB of JSON over HTTP and the same amount over SMTP submission, answered after the commit, everything
 * on, beside postfix taking the same amount into its queue, and beside the least that Node and PostgreSQL can be made to
 * do it with, which tells what this machine has to give. Rounds alternate, so that all see the same machine. Needs
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
}

/** Processor time of the service's own process so far, in microseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '');
  const [user, system] = stat.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}

interface Target {
  pid: number;
  http: Pick<Task, 'base_url' | 'headers'>;
  smtp: Pick<SmtpTask, 'address' | 'username' | 'password'>;
  sender: string;
}

async function ourTarget(service: ServiceUnderTest): Promise<Target> {
  const options = ['--instance', service.slug, '--name', 'bench'];
  const credential = await service.command('smtp-credential', 'create', ...options);
  return {
    pid: service.pid,
    http: {
      base_url: service.base_url,
      headers: { authorization: `Bearer ${service.api_key}`, 'x-instance-slug': service.slug },
    },
    smtp: {
      address: service.submission.starttls,
      username: String(credential['username']),
      password: String(credential['password']),
    },
    sender: `test@${service.slug}.sandbox.test`,
  };
}

function bareTarget({ pid, http_port, smtp_port }: BareMail): Target {
  return {
    pid,
    http: { base_url: `http://127.0.0.1:${http_port}`, headers: {} },
    smtp: { address: `127.0.0.1:${smtp_port}`, username: 'bare', password: 'bare' },
    sender: 'test@bare.test',
  };
}

async function loadHttp({ pid, http, sender }: Target, recipients: number): Promise<Round> {
  const task: Task = {
    base_url: http.base_url,
    path: '/v1/mails/send',
    headers: { ...http.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      sender_email: sender,
      to: Array.from({ length: recipients }, (_, index) => ({ email: `r${index}@sandbox.test` })),
      subject: 'Benchmark',
      html: `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(65)}</p>`,
    }),
    connections,
    seconds,
  };
  const cpu = cpuOf(pid);
  const result = haveWrk()
    ? await loadWithWrk(task, seconds)
    : await inOwnProcess<LoadResult>('http-load.ts', task);
  if (result.failures > 0) throw new Error(`${result.failures} sends were refused`);
  return { ...result, cpu_us: (cpuOf(pid) - cpu) / (result.per_second * seconds) };
}

async function loadSmtp({ pid, smtp, sender }: Target, reuse: boolean): Promise<Round> {
  const task: SmtpTask = {
    ...smtp,
    from: sender,
    to: 'delivered@sandbox.test',
    bytes,
    connections: 20,
    messages: reuse ? 2 * messages : messages,
    reuse,
  };
  const cpu = cpuOf(pid);
  const { per_second } = await loadWithSmtp(task);
  return { per_second, cpu_us: (cpuOf(pid) - cpu) / task.messages };
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
  /** Who does the same. */
  postfix?: Case | undefined;
  bare?: Case | undefined;
}

function casesOf(ours: Target, bare: Target, postfix: Postfix | undefined): Case[] {
  const cases: Case[] = [];
  const add = (name: string, load: Case['run'], peers: Pick<Case, 'postfix' | 'bare'> = {}): Case => {
    const added = { name, run: load, measured: [], ...peers };
    cases.push(added);
    return added;
  };
  const peer = (name: string, reuse: boolean): Case | undefined =>
    postfix &&
    add(name, async () => ({ per_second: await smtpSource(postfix.port, { messages, bytes, reuse }) }));
  const reused = { postfix: peer('postfix, sessions reused', true) };
  const fresh = { postfix: peer('postfix, new session each', false) };
  const http = `HTTP, 1 recipient, ${connections} connections`;
  const least = {
    http: add(`bare, ${http}`, async () => await loadHttp(bare, 1), reused),
    reused: add('bare, SMTP, sessions reused', async () => await loadSmtp(bare, true), reused),
    fresh: add('bare, SMTP, new session each', async () => await loadSmtp(bare, false), fresh),
  };
  add(http, async () => await loadHttp(ours, 1), { ...reused, bare: least.http });
  add(`HTTP, 10 recipients, ${connections} connections`, async () => await loadHttp(ours, 10), reused);
  add('SMTP submission, sessions reused', async () => await loadSmtp(ours, true), {
    ...reused,
    bare: least.reused,
  });
  add('SMTP submission, new session each', async () => await loadSmtp(ours, false), {
    ...fresh,
    bare: least.fresh,
  });
  return cases;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function row({ name, measured, postfix, bare }: Case): string {
  const cell = (key: keyof Round, digits: number): string => {
    const values = measured.flatMap((round) => round[key] ?? []);
    return values.length === 0 ? '' : median(values).toFixed(digits);
  };
  const against = (peer: Case | undefined): string =>
    peer
      ? median(
          measured.map(({ per_second }, index) => per_second / (peer.measured[index]?.per_second ?? 1)),
        ).toFixed(2)
      : '';
  const ratios = [against(postfix), against(bare)];
  const cells = [cell('per_second', 0), ...ratios, cell('p50_ms', 1), cell('p99_ms', 1), cell('cpu_us', 0)];
  return `| ${[name, ...cells].join(' | ')} |`;
}

export async function benchAccept(): Promise<void> {
  // Without delivery, as postfix only holds what it takes.
  const service = await startServiceUnderTest('api,submission', {
    CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true',
    CHASQUI_THREADS: String(threads),
  });
  const postfix = havePostfix() ? await startPostfix() : undefined;
  const bare = await startBareMail();
  try {
    const cases = casesOf(await ourTarget(service), bareTarget(bare), postfix);
    for (let round = 0; round < warm_up; round += 1) for (const each of cases) await each.run();
    for (let round = 0; round < rounds; round += 1)
      for (const each of cases) each.measured.push(await each.run());
    const lines = [
      `${rounds} rounds in turns; medians. ${bytes} bytes per message; the ratios are to those of the same round: to postfix (HTTP to its reused sessions), and to a bare server that does nothing but commit. ${threads} ${threads === 1 ? 'thread takes' : 'threads take'} it in. Load tools: ${haveWrk() ? 'wrk' : 'Node'} and ${haveCompiler() ? 'C' : 'Node'}.`,
      '',
      '| | messages/s | × postfix | × bare | p50 ms | p99 ms | Node CPU µs/message |',
      '|---|---|---|---|---|---|---|',
      ...cases.map(row),
    ];
    keepResults('accept', lines);
    console.log(lines.join('\n'));
  } finally {
    postfix?.stop();
    await bare.stop();
    await service.stop();
  }
}
