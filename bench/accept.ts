import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult } from './support/http-load.ts';
import { havePostfix, smtpSource, startPostfix, type Postfix } from './support/postfix.ts';
import { haveWrk, loadWithWrk } from './support/wrk.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';

/**
 * Durable accept over HTTP: 3 KB of JSON, answered after the commit, everything on, beside postfix taking the same
 * amount into its queue. Rounds alternate, so that both see the same machine.
 */
const run = promisify(execFile);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const seconds = Number(process.env['SECONDS'] ?? 6);

/** Processor time of a process and its children so far, in microseconds. */
function cpuOf(pid: number): number {
  const ticks = (file: string): number => {
    const fields = readFileSync(file, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  return ticks(`/proc/${pid}/stat`) * 10_000;
}

async function loadHttp(service: ServiceUnderTest, recipients: number, connections: number) {
  const html = `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(65)}</p>`;
  const body = JSON.stringify({
    sender_email: `test@${service.slug}.sandbox.test`,
    to: Array.from({ length: recipients }, (_, index) => ({ email: `r${index}@sandbox.test` })),
    subject: 'Benchmark',
    html,
  });
  const task = {
    base_url: service.base_url,
    path: '/v1/mails/send',
    headers: {
      authorization: `Bearer ${service.api_key}`,
      'x-instance-slug': service.slug,
      'content-type': 'application/json',
    },
    body,
    connections,
    seconds,
  };
  const cpu = cpuOf(service.pid);
  const result = haveWrk() ? await loadWithWrk(task, seconds) : await loadWithNode(task);
  const requests = result.per_second * seconds;
  return { ...result, service_cpu_us: (cpuOf(service.pid) - cpu) / requests };
}

async function loadWithNode(task: object): Promise<LoadResult> {
  const tool = path.join(import.meta.dirname, 'support/http-load.ts');
  const { stdout } = await run(process.execPath, [tool, JSON.stringify(task)]);
  return JSON.parse(stdout) as LoadResult;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export async function benchAccept(): Promise<void> {
  // Without delivery, as postfix only holds what it takes.
  const service = await startServiceUnderTest('api,submission');
  let postfix: Postfix | undefined;
  try {
    postfix = havePostfix() ? await startPostfix() : undefined;
    await loadHttp(service, 1, 64);
    if (postfix) await smtpSource(postfix.port, { messages: 500, bytes: 3000, reuse: true });
    const one: Awaited<ReturnType<typeof loadHttp>>[] = [];
    const ten: typeof one = [];
    const peer: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      one.push(await loadHttp(service, 1, 64));
      if (postfix) peer.push(await smtpSource(postfix.port, { messages: 4000, bytes: 3000, reuse: true }));
      ten.push(await loadHttp(service, 10, 64));
    }
    const report = (name: string, results: typeof one): void =>
      console.log(
        `${name.padEnd(34)} ${median(results.map((r) => r.per_second))
          .toFixed(0)
          .padStart(
            6,
          )}/s  p50 ${median(results.map((r) => r.p50_ms)).toFixed(1)} ms  p99 ${median(results.map((r) => r.p99_ms)).toFixed(1)} ms  node CPU ${median(results.map((r) => r.service_cpu_us)).toFixed(0)} µs  failures ${results.reduce((sum, r) => sum + r.failures, 0)}`,
      );
    report('HTTP, 1 recipient, 64 connections', one);
    report('HTTP, 10 recipients', ten);
    if (!postfix) console.log('postfix is not installed (or this is not root): no peer in this run');
    else {
      const ratio = median(one.map((r, index) => r.per_second / (peer[index] ?? 1)));
      console.log(`postfix, SMTP, sessions reused     ${median(peer).toFixed(0).padStart(6)}/s`);
      console.log(`ratio to postfix                   ${ratio.toFixed(2)}×`);
    }
  } finally {
    postfix?.stop();
    await service.stop();
  }
}
