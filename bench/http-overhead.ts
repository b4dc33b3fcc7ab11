import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult, Task } from './support/http-load.ts';
import { startOverheadServers, type OverheadServers } from './support/overhead-servers.ts';
import { keepResults } from './support/results.ts';

/**
 * What the conventions of the API cost: an empty operation with authentication, limits, validation, metrics and log
 * lines against the same route on bare Fastify. Both are served by this process in turns, so that they see the same
 * machine, and asked by another one. The measure is processor time per request, which a busy machine distorts least.
 */
const rounds = Number(process.env['ROUNDS'] ?? 7);
const requests = Number(process.env['REQUESTS'] ?? 10_000);
/** Requests before anything is measured, so that the code of every case is compiled. */
const warm_up = 3 * requests;
const connections = 32;
const target = 2;
const execute = promisify(execFile);

interface Measurement {
  per_second: number;
  cpu_us: number;
  p99_ms: number;
}

interface Case {
  name: string;
  base_url: string;
  path: string;
  measured: Measurement[];
}

function casesOf({ bare_url, ours_url }: OverheadServers): [Case, Case, Case] {
  return [
    { name: 'bare Fastify, empty route', base_url: bare_url, path: '/v1/empty', measured: [] },
    { name: 'Chasqui, empty operation', base_url: ours_url, path: '/v1/empty', measured: [] },
    { name: 'Chasqui, GET /v1/fields', base_url: ours_url, path: '/v1/fields', measured: [] },
  ];
}

async function measure({ base_url, path: url }: Case, task: Partial<Task>): Promise<Measurement> {
  const whole = { base_url, path: url, method: 'GET', connections, requests, ...task };
  const tool = path.join(import.meta.dirname, 'support/http-load.ts');
  const before = process.cpuUsage();
  const { stdout } = await execute(process.execPath, [tool, JSON.stringify(whole)]);
  const { user, system } = process.cpuUsage(before);
  const { per_second, p99_ms, failures } = JSON.parse(stdout) as LoadResult;
  if (failures > 0) throw new Error(`${url}: ${failures} answers were not 200`);
  return { per_second, p99_ms, cpu_us: (user + system) / whole.requests };
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function row({ name, measured }: Case, bare: Case): string {
  const of = (key: keyof Measurement): number => median(measured.map((one) => one[key]));
  // Of each round on its own, so that a change of the machine's mood between rounds does not count.
  const ratios = measured.map(({ cpu_us }, round) => cpu_us / (bare.measured[round]?.cpu_us ?? Number.NaN));
  const least = Math.min(...measured.map(({ cpu_us }) => cpu_us));
  return `| ${name} | ${of('per_second').toFixed(0)} | ${of('cpu_us').toFixed(1)} | ${least.toFixed(1)} | ${median(ratios).toFixed(2)} | ${of('p99_ms').toFixed(1)} |`;
}

export async function benchHttpOverhead(): Promise<void> {
  const servers = await startOverheadServers();
  try {
    const cases = casesOf(servers);
    const { headers } = servers;
    for (const one of cases) await measure(one, { headers, requests: warm_up });
    for (let round = 0; round < rounds; round += 1) {
      for (const one of cases) one.measured.push(await measure(one, { headers }));
    }
    const lines = [
      `${rounds} rounds of ${requests} requests per case, in turns, ${connections} connections without pipelining; medians. The target for the empty operation is at most ${target} × the processor time of bare Fastify. The time of PostgreSQL itself is not counted.`,
      '',
      '| | requests/s | server CPU µs/request | least | × bare Fastify | p99 ms |',
      '|---|---|---|---|---|---|',
      ...cases.map((one) => row(one, cases[0])),
    ];
    console.log(lines.join('\n'));
    keepResults('http-overhead', lines);
  } finally {
    await servers.stop();
  }
}
