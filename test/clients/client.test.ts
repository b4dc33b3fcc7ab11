import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import {
  attachment,
  ConnectionError,
  createClient,
  isProblem,
  Problem,
  verifyWebhook,
} from '../../clients/typescript/src/index.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { startTestService } from '../support/test-service.ts';

const folder = path.resolve(import.meta.dirname, '../../clients/typescript');

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that gives one answer after the other, and a client of it. */
async function clientOf(t: TestContext, answers: Answer[], options: { timeout_ms?: number } = {}) {
  const asked: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    keys.push(request.headers['idempotency-key'] as string | undefined);
    request
      .resume()
      .on('end', () => answers[Math.min(asked.length, answers.length) - 1]?.(request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = createClient({ base_url, api_key: 'key', instance: 'demo', max_wait_ms: 5, ...options });
  return { client, asked, keys };
}

const json =
  (body: unknown): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const problem =
  (status: number, headers: Record<string, string> = {}, code = `code_${status}`): Answer =>
  (_request, response) => {
    const document = { type: '', title: '', status, detail: 'No.', code, trace_id: 'f' };
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
    response.end(JSON.stringify(document));
  };

const proxy =
  (status: number): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');

const hangUp: Answer = (request) => request.socket.destroy();
const nothing: Answer = () => undefined;

const mail = { sender_email: 'a@b.test', to: [{ email: 'c@d.test' }], subject: 'S', html: '<p>S</p>' };
const sent = json({ message_id: 'm' });
const domain = json({ id: 4 });

test('requests that are safe to repeat are repeated', async (t) => {
  for (const answer of [problem(429), problem(503, { 'retry-after': '0' })]) {
    const { client, asked } = await clientOf(t, [answer, sent]);
    assert.deepEqual(await client.send(mail), { message_id: 'm' });
    assert.equal(asked.length, 2);
  }
  for (const answer of [problem(429), problem(503), proxy(502), hangUp]) {
    const { client, asked } = await clientOf(t, [answer, answer, domain]);
    assert.equal((await client.call('get_domain', { params: { id: 4 } })).id, 4);
    assert.deepEqual(
      asked,
      Array.from({ length: 3 }, () => 'GET /v1/domains/4'),
    );
  }
});

const in_progress = problem(409, { 'retry-after': '0' }, 'idempotency_in_progress');
const brokenOff: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"mess');
  setTimeout(() => response.destroy(), 10);
};

test('a send is repeated under one key until it is answered, and another send has another key', async (t) => {
  for (const answer of [hangUp, proxy(502), proxy(504), problem(503), problem(429), in_progress, brokenOff]) {
    const { client, keys } = await clientOf(t, [answer, answer, sent, sent]);
    assert.deepEqual(await client.send(mail), { message_id: 'm' });
    assert.equal(keys.length, 3);
    assert.match(keys[0] ?? '', /^[\da-f-]{36}$/);
    assert.equal(new Set(keys).size, 1);
    await client.call('send_mail', { body: mail });
    assert.equal(new Set(keys).size, 2);
  }
  const { client, keys } = await clientOf(t, [hangUp, sent]);
  await client.send(mail, { idempotency_key: 'order-1' });
  assert.deepEqual(keys, ['order-1', 'order-1']);
});

test('a batch is repeated as a send is, and gives the results in order', async (t) => {
  const data = [{ message_id: 'm' }, { error: { code: 'sender_not_found' } }];
  const { client, asked, keys } = await clientOf(t, [hangUp, in_progress, json({ data })]);
  assert.deepEqual(await client.sendBatch([mail, mail], { on_error: 'skip' }), data);
  assert.deepEqual(
    asked,
    Array.from({ length: 3 }, () => 'POST /v1/mails/batch'),
  );
  assert.equal(new Set(keys).size, 1);
});

test('a send whose answers are lost on the way is stored once', async (t) => {
  const service = await startTestService({ roles: 'api' });
  const cutting = await startCuttingProxy(service.base_url, { answers: 2 });
  t.after(async () => {
    await cutting.stop();
    await service.stop();
  });
  const { api_key, instance, api } = await service.tenant();
  const client = createClient({
    base_url: cutting.base_url,
    api_key,
    instance: instance.slug,
    max_wait_ms: 5,
  });
  const own = {
    ...mail,
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: 'ana@sandbox.test' }],
  };
  const { message_id } = await client.send(own);
  assert.equal(cutting.cuts, 2);
  const { data } = (await api.get('/v1/mails')).json;
  assert.deepEqual(
    data.map(({ msg_id }: { msg_id: string }) => msg_id),
    [message_id],
  );
});

test('refused requests and those that would act twice are not repeated', async (t) => {
  for (const answer of [problem(409, {}, 'idempotency_key_reused'), problem(422), problem(500)]) {
    const { client, asked } = await clientOf(t, [answer, sent]);
    await assert.rejects(client.send(mail), Problem);
    assert.equal(asked.length, 1);
  }
  const lost = await clientOf(t, [hangUp, domain]);
  await assert.rejects(lost.client.call('validate_domain', { params: { id: 4 } }), ConnectionError);
  assert.deepEqual([lost.asked.length, lost.keys], [1, [undefined]]);
  const write = await clientOf(t, [problem(503), domain]);
  await assert.rejects(write.client.call('validate_domain', { params: { id: 4 } }), Problem);
  assert.equal(write.asked.length, 1);
  const refused = await clientOf(t, [problem(404), domain]);
  await assert.rejects(refused.client.call('get_domain', { params: { id: 4 } }), (error) => isProblem(error));
  assert.equal(refused.asked.length, 1);
});

test('a service that asks for a longer wait than the client’s limit is not waited for', async (t) => {
  const { client, asked } = await clientOf(t, [problem(429, { 'retry-after': '60' }), sent]);
  await assert.rejects(client.send(mail), (error: Problem) => error.retry_after === 60);
  assert.equal(asked.length, 1);
});

test('an answer that does not come ends the call, and so does its caller', async (t) => {
  const { client, asked } = await clientOf(t, [nothing], { timeout_ms: 30 });
  await assert.rejects(client.send(mail), ConnectionError);
  assert.ok(asked.length <= 3);
  const patient = await clientOf(t, [nothing]);
  const signal = AbortSignal.timeout(30);
  await assert.rejects(patient.client.call('list_domains', {}, { signal }), { name: 'TimeoutError' });
  assert.ok(patient.asked.length <= 1);
});

test('a list asks for the next page when it is come to', async (t) => {
  const pageOf = (ids: number[], has_more: boolean) =>
    json({ data: ids.map((id) => ({ id })), pagination: { has_more } });
  const { client, asked } = await clientOf(t, [pageOf([1, 2], true), pageOf([3], true), pageOf([4], false)]);
  const found: number[] = [];
  for await (const { id } of client.list('list_domains', { query: { domain: 'a b', is_verified: true } })) {
    found.push(id);
    if (id === 2) assert.equal(asked.length, 1);
  }
  assert.deepEqual(found, [1, 2, 3, 4]);
  const query = (page: number) => `domain=a+b&is_verified=true&page=${page}&page_size=100`;
  assert.deepEqual(
    asked,
    [1, 2, 3].map((page) => `GET /v1/domains?${query(page)}`),
  );
});

test('parameters are encoded, and repeated ones repeated', async (t) => {
  const { client, asked } = await clientOf(t, [json({})]);
  await client.call('get_domain_status', { params: { domain_name: 'a/b?c' } });
  for (const domain_name of ['', '.', '..'])
    await assert.rejects(client.call('get_domain_status', { params: { domain_name } }), TypeError);
  const query = { contact: ['a@b', 'c'], contact_type: ['email_address' as const, 'uniquecode' as const] };
  await client.call('resolve_consent', { query: { ...query, purpose_id: 1 } });
  assert.deepEqual(asked, [
    'GET /v1/domains/a%2Fb%3Fc/status',
    'GET /v1/consent-rules/resolve?contact=a%40b&contact=c&contact_type=email_address&contact_type=uniquecode&purpose_id=1',
  ]);
});

test('a webhook counts when it is signed with the secret, now and with this body', async () => {
  const key = Buffer.alloc(32, 7);
  const secret = `whsec_${key.toString('base64')}`;
  const body = JSON.stringify({ type: 'mail.sent', timestamp: '', data: { to: 'é@example.com' } });
  const signed = (seconds: number) => {
    const at = String(Math.floor(Date.now() / 1000) + seconds);
    const mac = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64');
    return {
      'Webhook-Id': 'msg_1',
      'webhook-timestamp': at,
      'webhook-signature': `v1,AAAA v2,${mac} v1,${mac}`,
    };
  };
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const headers = signed(-290);
  const bytes = Buffer.from(body);
  assert.equal((await verifyWebhook({ body, headers, secret })).type, 'mail.sent');
  assert.equal(
    (await verifyWebhook({ body: bytes, headers: new Headers(headers), secret: [other, secret] })).type,
    'mail.sent',
  );
  for (const wrong of [
    { body: `${body} `, headers, secret },
    { body, headers, secret: other },
    { body, headers: signed(-310), secret },
    { body, headers: signed(310), secret },
    { body, headers: { ...headers, 'webhook-timestamp': '' }, secret },
    { body, headers: { ...headers, 'Webhook-Id': 'msg_2' }, secret },
    { body, headers: { ...headers, 'webhook-signature': '' }, secret },
    { body, headers: {}, secret },
  ]) {
    await assert.rejects(verifyWebhook(wrong), { name: 'WebhookVerificationError' });
  }
});

test('an attachment is made of bytes and of files of forms', async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_each, index) => index % 256);
  const content = Buffer.from(bytes).toString('base64');
  const png = await attachment(bytes, { filename: 'LOGO.PNG', content_id: 'logo' });
  assert.deepEqual(png, { filename: 'LOGO.PNG', type: 'image/png', content, content_id: 'logo' });
  const blob = new Blob([bytes], { type: 'text/x-own' });
  assert.deepEqual(await attachment(blob, { filename: 'a.txt' }), {
    filename: 'a.txt',
    type: 'text/x-own',
    content,
  });
  assert.equal((await attachment(bytes, { filename: 'unknown' })).type, 'application/octet-stream');
});

test('all of it for a browser has at most 10 KB compressed, and nothing of Node', async () => {
  const bundle = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'client' },
    },
  });
  const [{ output } = { output: [] }] = [bundle].flat() as { output: { code?: string }[] }[];
  const code = output.map((each) => each.code ?? '').join('');
  assert.match(code, /createClient/);
  assert.doesNotMatch(code, /node:|\brequire\(/);
  assert.ok(gzipSync(code).length <= 10_240, `${gzipSync(code).length} bytes`);
});
