import type { Task } from './support/http-load.ts';
import { loadWithNode } from './support/http-load-process.ts';
import { startOverheadServers, type OverheadServers } from './support/overhead-servers.ts';
import { keepResults } from './support/results.ts';
import { median, type Share } from './support/share.ts';
import { targetOf } from './support/targets.ts';

/**
 * What the conventions of the API cost: an empty operation with authentication, limits, validation, metrics and log
 * lines against the same route on bare Fastify. Both are served by this process in turns, so that they see the same
 * machine, and asked by another one. The measure is processor time per request, which a busy machine distorts least.
 */
const rounds = Number(process.env['ROUNDS'] ?? 7);
const requests = Number(process.env['REQUESTS'] ?? 10_000);
const connections = 32;

interface Measurement {
  per_second: number;
  own_us: number;
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
  const whole: Task = { base_url, path: url, method: 'GET', headers: {}, connections, requests, ...task };
  const before = process.cpuUsage();
  const { per_second, p99_ms, failures } = await loadWithNode(whole);
  const { user, system } = process.cpuUsage(before);
  if (failures > 0) throw new Error(`${url}: ${failures} answers were not 200`);
  return { per_second, p99_ms, own_us: (user + system) / (whole.requests ?? 1) };
}

function row({ name, measured }: Case, bare: Case): string {
  const of = (key: keyof Measurement): number => median(measured.map((one) => one[key]));
  // Of each round on its own, so that a change of the machine's mood between rounds does not count.
  const ratios = measured.map(({ own_us }, round) => own_us / (bare.measured[round]?.own_us ?? Number.NaN));
  const least = Math.min(...measured.map(({ own_us }) => own_us));
  return `| ${name} | ${of('per_second').toFixed(0)} | ${of('own_us').toFixed(1)} | ${least.toFixed(1)} | ${median(ratios).toFixed(2)} | ${of('p99_ms').toFixed(1)} | ${targetOf('http-overhead', name)} |`;
}

/** After three rounds that do not count, so that the code of every case is compiled. */
async function measureCases(count: number, eachRequests: number): Promise<[Case, Case, Case]> {
  const servers = await startOverheadServers();
  try {
    const cases = casesOf(servers);
    const { headers } = servers;
    for (const one of cases) await measure(one, { headers, requests: 3 * eachRequests });
    for (let round = 0; round < count; round += 1) {
      for (const one of cases) one.measured.push(await measure(one, { headers, requests: eachRequests }));
    }
    return cases;
  } finally {
    await servers.stop();
  }
}

/** For `quick`. */
export async function overheadShares(): Promise<Share[]> {
  const [bare, ...ours] = await measureCases(3, 1_500);
  return ours.map(({ name, measured }) => ({
    name: name.replace('Chasqui', 'http'),
    target: name.includes('empty') ? 0.5 : 0.33,
    rounds: measured.map((one, index) => ({ ours: one, bare: bare.measured[index] ?? one })),
  }));
}

export async function benchHttpOverhead(): Promise<void> {
  const cases = await measureCases(rounds, requests);
  const lines = [
    `${rounds} rounds of ${requests} requests per case, in turns, ${connections} connections without pipelining; medians. The time of PostgreSQL itself is not counted.`,
    '',
    '| | requests/s | server CPU µs/request | least | × bare Fastify | p99 ms | target |',
    '|---|---|---|---|---|---|---|',
    ...cases.map((one) => row(one, cases[0])),
  ];
  console.log(lines.join('\n'));
  keepResults('http-overhead', lines);
}
