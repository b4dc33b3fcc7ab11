import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RootSecret } from '../src/base/secrets.ts';
import { TrackingTokens } from '../src/track/tracking-token.ts';
import { startTestService, type TestService } from '../test/support/test-service.ts';
import { waitFor } from '../test/support/wait-for.ts';
import { loadWithNode } from './support/http-load-process.ts';
import { keepResults } from './support/results.ts';
import { median, type Share } from './support/share.ts';
import { targetOf } from './support/targets.ts';
import { haveWrk, loadWithWrk } from './support/wrk.ts';

/**
 * Opens and clicks beside a bare Node http server that answers the same. Both are served by this process in turns and
 * asked by wrk, or by a tool in Node where there is none. Ours checks the token, tells machines from people and writes every visit to PostgreSQL, on the same
 * processors; the processor time includes the writing, to the last one.
 */
const rounds = Number(process.env['ROUNDS'] ?? 4);
const seconds = Number(process.env['SECONDS'] ?? 2);
const connections = 64;
const target = 0.6;
const location = 'https://shop.example/products/1234?utm_source=mail&utm_campaign=spring&utm_content=button';
const headers = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
};
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

interface Case {
  name: string;
  base_url: string;
  paths: string[];
  is_written: boolean;
  measured: { per_second: number; own_us: number; p99_ms: number }[];
}

async function startBare(): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/c/')) {
      const lines = {
        location,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'content-length': 0,
      };
      response.writeHead(302, lines).end();
    } else {
      const lines = {
        'content-type': 'image/gif',
        'content-length': pixel.length,
        'cache-control': 'no-store',
      };
      response.writeHead(200, { ...lines, 'x-content-type-options': 'nosniff' }).end(pixel);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Mails that were delivered long enough ago for visits to be people's. */
async function deliveredMails(service: TestService): Promise<string[]> {
  const { api, instance } = await service.tenant();
  for (let send = 0; send < 4; send += 1) {
    const to = Array.from({ length: 50 }, (_, index) => ({ email: `r${send}-${index}@sandbox.test` }));
    const sender_email = `test@${instance.slug}.sandbox.test`;
    await api.post('/v1/mails/send', { sender_email, to, subject: 'Hi', html: '<p>Hi</p>' });
  }
  const sql = "update mails set status = 3, sent_at = now() - interval '1 hour' returning mail_id";
  return (await service.db.query<{ mail_id: string }>(sql)).map(({ mail_id }) => mail_id);
}

async function casesOf(service: TestService, bare: Server): Promise<Case[]> {
  const tokens = new TrackingTokens(new RootSecret('a root secret for tests, and for tests alone'));
  const mails = await deliveredMails(service);
  const link = tokens.target(location);
  if (!link) throw new Error('the target is not a link');
  const clicks = mails.map(
    (mail) => `/c/${tokens.of({ mail_id: mail, instance_id: 1 }).click(link)}${link.tail}`,
  );
  const opens = mails.map((mail) => `/o/${tokens.of({ mail_id: mail, instance_id: 1 }).open()}`);
  const bare_url = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
  const ours_url = service.base_url.replace('localhost', '127.0.0.1');
  return [
    { name: 'bare Node, redirect', base_url: bare_url, paths: clicks, is_written: false, measured: [] },
    { name: 'Chasqui, click', base_url: ours_url, paths: clicks, is_written: true, measured: [] },
    { name: 'bare Node, pixel', base_url: bare_url, paths: opens, is_written: false, measured: [] },
    { name: 'Chasqui, open', base_url: ours_url, paths: opens, is_written: true, measured: [] },
  ];
}

async function visitsWritten({ metrics_url }: TestService): Promise<number> {
  const text = await (await fetch(`${metrics_url}/metrics`)).text();
  const written = [...text.matchAll(/^chasqui_engagements\S*_total(?:\{.*\})? (\d+)$/gm)];
  return written.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function measure(
  service: TestService,
  { base_url, paths, is_written }: Case,
  duration: number,
): Promise<Case['measured'][0]> {
  const before = await visitsWritten(service);
  const cpu = process.cpuUsage();
  const task = { base_url, path: '/', paths, headers, connections };
  const result = haveWrk()
    ? await loadWithWrk(task, duration)
    : await loadWithNode({ ...task, method: 'GET', seconds: duration });
  if (result.failures > 0) throw new Error(`${result.failures} answers were refusals`);
  const drained = async () => (await visitsWritten(service)) >= before + result.requests;
  if (is_written) await waitFor(drained, { timeout_ms: 60_000, interval_ms: 500, what: 'the last visit' });
  const { user, system } = process.cpuUsage(cpu);
  return { ...result, own_us: (user + system) / result.requests };
}

function row({ name, measured }: Case, bare: Case | undefined): string {
  const of = (key: 'per_second' | 'own_us' | 'p99_ms'): number => median(measured.map((one) => one[key]));
  // Of each round on its own, so that a change of the machine's mood between rounds does not count.
  const ratio = median(
    measured.map(({ per_second }, round) => per_second / (bare?.measured[round]?.per_second ?? Number.NaN)),
  );
  return `| ${name} | ${of('per_second').toFixed(0)} | ${ratio.toFixed(2)} | ${of('own_us').toFixed(1)} | ${of('p99_ms').toFixed(1)} | ${targetOf('track', name)} |`;
}

async function measureCases(count: number, duration: number): Promise<Case[]> {
  const service = await startTestService({ roles: 'api,web', env: { CHASQUI_LOG_LEVEL: 'warn' } });
  const bare = await startBare();
  try {
    const cases = await casesOf(service, bare);
    // The first round is for the compiler.
    for (let round = 0; round <= count; round += 1) {
      for (const one of cases) {
        const measured = await measure(service, one, duration);
        if (round > 0) one.measured.push(measured);
      }
    }
    return cases;
  } finally {
    bare.close();
    bare.closeAllConnections();
    await service.stop();
  }
}

/** For `quick`. */
export async function trackShares(): Promise<Share[]> {
  const cases = await measureCases(2, 1);
  return cases.flatMap(({ name, measured, is_written }, index) => {
    const bare = cases[index - 1]?.measured ?? [];
    const pairs = measured.map((ours, round) => ({ ours, bare: bare[round] ?? ours }));
    return is_written ? [{ name: name.replace('Chasqui', 'track'), target, rounds: pairs }] : [];
  });
}

export async function benchTrack(): Promise<void> {
  const cases = await measureCases(rounds, seconds);
  const tool = haveWrk() ? 'wrk' : 'a load tool in Node';
  const lines = [
    `${rounds} rounds of ${seconds} s per case, in turns, ${connections} connections, ${tool}; medians. PostgreSQL and the tool share the processors; the processor time is that of Node, with the writing of every visit.`,
    '',
    '| | requests/s | × bare Node | server CPU µs/request | p99 ms | target |',
    '|---|---|---|---|---|---|',
    ...cases.map((one, index) => row(one, cases[index - (index % 2)])),
  ];
  console.log(lines.join('\n'));
  keepResults('track', lines);
}
