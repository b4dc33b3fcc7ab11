import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setOperator } from '../../src/accounts/users.ts';
import type { Operation } from '../../src/base/http/operation.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  createRandom,
  hostileBodies,
  hostileForms,
  hostileSegments,
  hostileValues,
  spoiled,
} from './hostile-input.fixture.ts';
import { assertCivil } from './problems.fixture.ts';
import { send, type RawRequest } from './raw-http.fixture.ts';
import {
  createActors,
  credentialsFor,
  exampleFor,
  fillPath,
  hasParams,
  namesIn,
  seedFor,
  type Actors,
} from './resources.fixture.ts';

/**
 * `FUZZ_SEED=… npm test -- fuzz` repeats a run. `npm run test:slow` sends four times the requests, with another seed each
 * time. `FUZZ_SHARE=1` sends ten times as many.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 32);
const share = Number(process.env['FUZZ_SHARE'] ?? 0.1);
const random = createRandom(seed);
let service: TestService;
let actors: Actors;
let operations: Operation[];
before(async () => {
  // No resolver listens there: nothing of these tests may go out.
  service = await startTestService({ env: { CHASQUI_DNS_SERVERS: '127.0.0.1:9' } });
  actors = await createActors(service);
  await setOperator(service.db, actors.owner.login.email, { is_operator: true, actor: { kind: 'operator' } });
  // A stream has no end by which it could be judged.
  operations = service.service.operations.filter(({ success }) => !success.also?.['text/event-stream']);
});
after(async () => await service.stop());

/** Operations that may honestly answer 503 here, and why. */
const unavailable: Record<string, string> = {
  panel_email_domain_records: 'it talks to the servers of others, which this test has none of',
  panel_create_invitation: 'it talks to the servers of others, which this test has none of',
  ...Object.fromEntries(
    ['update_template', 'replace_template', 'panel_update_template', 'panel_replace_template'].map((id) => [
      id,
      'it gives up when many change one template at once',
    ]),
  ),
};

/** Several at a time, as they would come. */
async function all(requests: (RawRequest & { label: string })[]): Promise<void> {
  const waiting = [...requests];
  const worker = async (): Promise<void> => {
    for (let request = waiting.shift(); request; request = waiting.shift()) await one(request);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

async function one({ label, ...request }: RawRequest & { label: string }): Promise<void> {
  try {
    const answer = await send(service.base_url, request, { timeout_ms: 60_000 });
    const excused = unavailable[label.split(' ')[0] ?? ''] && answer.json?.code === 'service_unavailable';
    if (!excused) assertCivil(answer, label);
  } catch (error) {
    throw new Error(`${label} (FUZZ_SEED=${seed})`, { cause: error });
  }
}

const short = (text: string | Buffer): string => String(text).slice(0, 60);

/** A seed that the operation may use up. */
async function paramsOf(operation: Operation): Promise<Record<string, string | number>> {
  return hasParams(operation) ? await seedFor(operation, service, actors) : {};
}

test('hostile paths are refused', { timeout: 180_000 }, async () => {
  for (const operation of operations.filter(hasParams)) {
    const params = await paramsOf(operation);
    const headers = { ...credentialsFor(operation, actors), 'content-type': 'application/json' };
    const body = JSON.stringify(exampleFor(operation, actors));
    const requests = namesIn(operation.path).flatMap((name) =>
      ['', ...hostileSegments].map((segment) => {
        const path = fillPath(operation.path.replace(`{${name}}`, segment.replaceAll('$', '$$$$')), params);
        return { method: operation.method, path, headers, body, label: `${operation.id} ${short(path)}` };
      }),
    );
    await all(sample(requests));
  }
});

test('hostile queries are refused', { timeout: 180_000 }, async () => {
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const params = await paramsOf(operation);
    const headers = credentialsFor(operation, actors);
    const names = [...Object.keys(operation.query?.properties ?? {}), 'unknown', '__proto__', '%5B%5D'];
    const queries = names.flatMap((name) => hostileValues.map((value) => `${name}=${value}`));
    for (let n = 0; n < 20; n += 1) {
      const parts = Array.from({ length: 6 }, () => `${random.pick(names)}=${random.pick(hostileValues)}`);
      queries.push(parts.join('&').slice(0, 9_000));
    }
    queries.push('&'.repeat(1_000), '=', '?', `${'page=1&'.repeat(1_500)}page=1`);
    await all(
      sample(queries).map((query) => ({
        path: `${fillPath(operation.path, params)}?${query}`,
        headers,
        label: `${operation.id} ?${short(query)}`,
      })),
    );
  }
});

test('hostile bodies are refused', { timeout: 180_000 }, async () => {
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    const params = await paramsOf(operation);
    const headers = { ...credentialsFor(operation, actors), 'content-type': 'application/json' };
    const bodies = sample(hostileBodies, 25);
    if (operation.body) {
      assert.ok(operation.body_example, `${operation.id} has an example to spoil`);
      const example = exampleFor(operation, actors);
      bodies.push(...sample(spoiled(example), 25), ...damaged(example));
    }
    await all(
      bodies.map((body) => ({
        method: operation.method,
        path: fillPath(operation.path, params),
        headers,
        body,
        label: `${operation.id} ${short(body)}`,
      })),
    );
  }
});

test('hostile forms are refused', { timeout: 120_000 }, async () => {
  for (const operation of operations) {
    if (!operation.multipart) continue;
    const forms = hostileForms(operation.multipart.file_field);
    const valid = Object.entries(exampleFor(operation, actors) as object).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    });
    for (const type of [
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'multipart/form-data; boundary=',
    ]) {
      const headers = { ...credentialsFor(operation, actors), 'content-type': type };
      const path = operation.path;
      await all(
        [
          ...forms,
          ...forms.map((form) => Buffer.concat([Buffer.from(valid.join('')), Buffer.from(form)])),
        ].map((body) => ({
          method: operation.method,
          path,
          headers,
          body,
          label: `${operation.id} ${short(body)}`,
        })),
      );
    }
  }
});

/** All of a few, some of many: the more operations there are, the fewer for each, so that a run stays short. */
function sample<T>(items: readonly T[], least = 12): T[] {
  const most = Math.ceil(share * Math.max(least, Math.floor(3_000 / operations.length)));
  return items.length <= most ? [...items] : Array.from({ length: most }, () => random.pick(items));
}

/** The example as JSON with a few bytes changed, lost or added. */
function damaged(example: unknown): Buffer[] {
  return Array.from({ length: Math.ceil(30 * share) }, () => {
    const text = Buffer.from(JSON.stringify(example));
    const at = Math.floor(random.next() * text.length);
    const kept = text.subarray(0, at);
    const rest = text.subarray(at + Math.floor(random.next() * 3));
    return Buffer.concat([kept, random.bytes(Math.floor(random.next() * 3)), rest]);
  });
}

test('hostile headers are refused', { timeout: 120_000 }, async () => {
  const headers: [string, string][] = [
    ['content-type', 'a'.repeat(8_000)],
    ['content-type', 'application/json; charset=utf-7'],
    ['content-type', ';;;'],
    ['content-encoding', 'gzip'],
    ['content-encoding', 'x'.repeat(5_000)],
    ['host', 'a b'],
    ['host', ''],
    ['host', 'evil:99999'],
    ['host', '[::1'],
    ['accept', '\u00ff'.repeat(100)],
    ['accept-encoding', 'br;q=x'],
    ['expect', 'nonsense'],
    ['expect', '100-continue'],
    ['upgrade', 'websocket'],
    ['connection', 'upgrade'],
    ['cookie', ';;=;'.repeat(1_000)],
    ['x-forwarded-for', ','.repeat(1_000)],
    ['x-http-method-override', 'DELETE'],
    ['range', 'bytes=0-0,-1'],
    ['if-none-match', '*'],
    ['authorization', `Bearer ${'a.'.repeat(4_000)}`],
    ['authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
    ['x-instance-slug', "' or 1=1"],
  ];
  for (const operation of operations) {
    const params = await paramsOf(operation);
    await all(
      sample(headers).map(([name, value]) => ({
        method: operation.method,
        path: fillPath(operation.path, params),
        headers: { ...credentialsFor(operation, actors), [name]: value },
        ...(operation.method === 'GET' ? {} : { body: '{}' }),
        label: `${operation.id} ${name}: ${short(value)}`,
      })),
    );
  }
});

test('strange methods are refused on every path', { timeout: 120_000 }, async () => {
  const methods = [
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'QUERY',
    'PURGE',
    'SOURCE',
    'M-SEARCH',
  ];
  const own = new Map(operations.map(({ path, method }) => [`${method} ${path}`, true]));
  const paths = [
    ...new Set([...operations.map(({ path }) => path), '/docs', '/docs/', '/docs/errors', '/healthz']),
  ];
  const requests = paths.flatMap((path) =>
    methods
      .filter((method) => !own.has(`${method} ${path}`))
      .map((method) => ({ method, path: path.replaceAll(/[{}]/g, ''), label: `${method} ${path}` })),
  );
  await all(sample(requests, requests.length));
});

test('pages for people bear hostile requests too', { timeout: 120_000 }, async () => {
  const paths = ['/docs', '/docs/', '/docs/errors', '/docs/errors/', '/healthz', '/readyz'];
  const requests = [
    ...hostileSegments.map((segment) => ({ path: `/docs/errors/${segment}` })),
    ...hostileSegments.map((segment) => ({ path: `/docs/${segment}` })),
    ...paths.flatMap((path) => hostileValues.map((value) => ({ path: `${path}?x=${value}` }))),
    ...paths.map((path) => ({ path, headers: { host: '[::1' } })),
  ];
  for (const request of sample(requests, requests.length)) {
    const answer = await send(service.base_url, request);
    const redirect = answer.status === 301 && answer.header('location')?.startsWith('/docs/');
    if (!redirect) assertCivil(answer, request.path);
  }
});

test('after all that the service is well and has not logged a single error', async () => {
  assert.equal((await actors.api.get('/v1/fields')).status, 200);
  assert.equal((await actors.owner.get('/v1/private/me')).status, 200);
  const alarms = service.logged.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level));
  assert.deepEqual(alarms.slice(0, 3), []);
});
