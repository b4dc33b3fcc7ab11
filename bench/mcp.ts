import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult, Task } from './support/http-load.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';

/**
 * What the protocol costs: a read tool against the same operation over HTTP, asked by another process over one connection,
 * in turns. Requests are those of the official clients of both generations, without the clients.
 */
const rounds = Number(process.env['ROUNDS'] ?? 7);
const requests = Number(process.env['REQUESTS'] ?? 1_000);
const target = 1.5;
const execute = promisify(execFile);

interface Case {
  name: string;
  task: Pick<Task, 'method' | 'path' | 'body'> & { more: Record<string, string> };
  measured: LoadResult[];
}

const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The operation over HTTP first. */
function casesOf(tool: string, url: string, given: object): [Case, Case, Case] {
  const body = (params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const call = { name: tool, arguments: given };
  const of2025 = { 'mcp-protocol-version': '2025-11-25' };
  const of2026 = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': tool };
  const mcp = { method: 'POST', path: '/mcp' } as const;
  return [
    { name: `GET ${url.split('?')[0]}`, task: { method: 'GET', path: url, more: {} }, measured: [] },
    { name: `${tool}, 2025`, task: { ...mcp, body: body(call), more: of2025 }, measured: [] },
    {
      name: `${tool}, 2026`,
      task: { ...mcp, body: body({ ...call, _meta: meta }), more: of2026 },
      measured: [],
    },
  ];
}

async function measure(service: ServiceUnderTest, { name, task }: Case): Promise<LoadResult> {
  const { more, ...what } = task;
  const headers = {
    authorization: `Bearer ${service.api_key}`,
    'x-instance-slug': service.slug,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...more,
  };
  const whole: Task = { base_url: service.base_url, ...what, headers, connections: 1, requests };
  const tool = path.join(import.meta.dirname, 'support/http-load.ts');
  const { stdout } = await execute(process.execPath, [tool, JSON.stringify(whole)]);
  const result = JSON.parse(stdout) as LoadResult;
  if (result.failures > 0) throw new Error(`${name}: ${result.failures} answers were not 200`);
  return result;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function row({ name, measured }: Case, http: Case): string {
  const p50 = median(measured.map((one) => one.p50_ms));
  // Of each round on its own: other work on the machine comes and goes.
  const ratios = measured.map(({ p50_ms }, round) => p50_ms / (http.measured[round]?.p50_ms ?? Number.NaN));
  const p99 = median(measured.map((one) => one.p99_ms));
  return `| ${name} | ${p50.toFixed(2)} | ${median(ratios).toFixed(2)} | ${p99.toFixed(2)} |`;
}

async function send(service: ServiceUnderTest): Promise<void> {
  const body = {
    sender_email: `test@${service.slug}.sandbox.test`,
    to: Array.from({ length: 50 }, (_, index) => ({ email: `delivered+${index}@sandbox.test` })),
    subject: 'Order',
    html: '<p>Thank you.</p>',
  };
  const headers = {
    authorization: `Bearer ${service.api_key}`,
    'x-instance-slug': service.slug,
    'content-type': 'application/json',
  };
  const sent = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (sent.status !== 200) throw new Error(await sent.text());
}

export async function benchMcp(): Promise<void> {
  const service = await startServiceUnderTest('api,web,delivery');
  try {
    for (let count = 0; count < 20; count += 1) await send(service);
    const pairs = [
      casesOf('list_mails', '/v1/mails?page_size=20', { page_size: 20 }),
      casesOf('list_senders', '/v1/senders', {}),
      casesOf('get_stats', '/v1/stats/overview', {}),
    ];
    for (const one of pairs.flat()) await measure(service, one);
    for (let round = 0; round < rounds; round += 1) {
      for (const one of pairs.flat()) one.measured.push(await measure(service, one));
    }
    const lines = [
      `${rounds} rounds of ${requests} requests per case, in turns, one connection; medians. The target is at most ${target} × the p50 of the same operation over HTTP.`,
      '',
      '| | p50 ms | × HTTP | p99 ms |',
      '|---|---|---|---|',
      ...pairs.flatMap((cases) => cases.map((one) => row(one, cases[0]))),
    ];
    console.log(lines.join('\n'));
    keepResults('mcp', lines);
  } finally {
    await service.stop();
  }
}
