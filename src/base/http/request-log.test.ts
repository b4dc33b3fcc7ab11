import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { Problem } from '../errors/problem.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { healthPages } from './health-pages.ts';
import { recordEnd } from './request-log.ts';

test('probes that pass are logged at level debug, probes that fail and all other requests at info', async (t) => {
  const lines: { level: string; route: string | null; status: number }[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) });
  const metrics = createMetrics({ of_process: false });
  const app = fastify();
  t.after(async () => await app.close());
  let isReady = true;
  app.addHook('onRequest', async (request, reply) => recordEnd(request, reply, { log, metrics }));
  const requireReady = async (): Promise<void> => {
    if (!isReady) throw Object.assign(new Problem('service_unavailable'), { statusCode: 503 });
  };
  healthPages(requireReady, () => [])(app);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const ask = async (path: string): Promise<void> => void (await (await fetch(`${url}${path}`)).text());
  await ask('/healthz');
  await ask('/readyz');
  isReady = false;
  await ask('/readyz');
  await ask('/other');
  await waitFor(() => lines.length === 4, { what: 'a line for each request' });
  assert.deepEqual(
    lines.map(({ level, route, status }) => [level, route, status]),
    [
      ['debug', '/healthz', 200],
      ['debug', '/readyz', 200],
      ['info', '/readyz', 503],
      ['info', null, 404],
    ],
  );
});
