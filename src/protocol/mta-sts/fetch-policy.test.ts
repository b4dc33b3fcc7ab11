import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { before, test, type TestContext } from 'node:test';
import { selfSignedCertificate, type SelfSignedCertificate } from '../tls/self-signed-certificate.ts';
import { createPolicyFetcher, type FetchPolicyOptions } from './fetch-policy.ts';

const policy = 'version: STSv1\nmode: none\nmax_age: 1\n';
const plain = { 'content-type': 'text/plain; charset=utf-8' };
let certificate: SelfSignedCertificate;

before(() => {
  const valid_from = new Date(Date.now() - 86_400_000);
  certificate = selfSignedCertificate({ names: ['mta-sts.example.test'], valid_from });
});

async function serve(t: TestContext, listener: RequestListener, options: Partial<FetchPolicyOptions> = {}) {
  const server = createServer(certificate, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return createPolicyFetcher({
    addresses: async () => ({ kind: 'found', records: ['127.0.0.1'] }),
    port: (server.address() as AddressInfo).port,
    ca: certificate.cert,
    allow_private: true,
    ...options,
  });
}

test('the policy file is fetched by its well-known address', async (t) => {
  const seen: (string | undefined)[] = [];
  const fetchPolicy = await serve(t, (request, response) => {
    seen.push(request.method, request.url, request.headers.host?.replace(/:\d+$/, ''));
    response.writeHead(200, plain).end(policy);
  });
  assert.deepEqual(await fetchPolicy('example.test'), { kind: 'fetched', text: policy });
  assert.deepEqual(seen, ['GET', '/.well-known/mta-sts.txt', 'mta-sts.example.test']);
});

test('redirects, errors and other media types are failures', async (t) => {
  let answer: [status: number, headers: Record<string, string>] = [200, plain];
  const fetchPolicy = await serve(t, (_request, response) => void response.writeHead(...answer).end(policy));
  const cases: [typeof answer, string][] = [
    [[302, { ...plain, location: '/elsewhere' }], 'status_302'],
    [[404, plain], 'status_404'],
    [[500, plain], 'status_500'],
    [[206, plain], 'status_206'],
    [[200, { 'content-type': 'text/html' }], 'media_type'],
    [[200, { 'content-type': 'text/plainer' }], 'media_type'],
    [[200, {}], 'media_type'],
  ];
  for (const [given, reason] of cases) {
    answer = given;
    assert.deepEqual(await fetchPolicy('example.test'), { kind: 'failed', reason });
  }
});

test('a file without end is cut off', async (t) => {
  const closed = Promise.withResolvers<void>();
  const fetchPolicy = await serve(t, (_request, response) => {
    response.writeHead(200, plain);
    const more = (): void => void (response.write('x'.repeat(16_384)) && setImmediate(more));
    response.on('drain', more).on('close', closed.resolve);
    more();
  });
  assert.deepEqual(await fetchPolicy('example.test'), { kind: 'failed', reason: 'too_large' });
  await closed.promise;
});

test('silence before and within the answer ends in time', async (t) => {
  let begins = false;
  const fetchPolicy = await serve(
    t,
    (_request, response) => {
      if (begins) response.writeHead(200, plain).write('version: ');
    },
    { timeout_ms: 150 },
  );
  for (begins of [false, true]) {
    assert.deepEqual(await fetchPolicy('example.test'), { kind: 'failed', reason: 'timeout' });
  }
});

test('a connection cut within the file is a failure', async (t) => {
  const fetchPolicy = await serve(t, (_request, response) => {
    response.writeHead(200, { ...plain, 'content-length': '100' });
    response.write(policy, () => response.socket?.destroy());
  });
  assert.equal((await fetchPolicy('example.test')).kind, 'failed');
});

test('the certificate has to be trusted and made for the host', async (t) => {
  const answer: RequestListener = (_request, response) => void response.writeHead(200, plain).end(policy);
  const trusting = await serve(t, answer);
  assert.deepEqual(await trusting('other.test'), { kind: 'failed', reason: 'err_tls_cert_altname_invalid' });
  const valid_from = new Date(Date.now() - 86_400_000);
  const stranger = selfSignedCertificate({ names: ['mta-sts.example.test'], valid_from });
  const distrusting = await serve(t, answer, { ca: stranger.cert });
  assert.equal((await distrusting('example.test')).kind, 'failed');
});

test('a host that DNS does not know, or that is inside our network, is not connected to', async (t) => {
  const connected: string[] = [];
  const listener: RequestListener = (request, response) => {
    connected.push(String(request.url));
    response.end();
  };
  const cases: [FetchPolicyOptions['addresses'], string][] = [
    [async () => ({ kind: 'missing' }), 'no_host'],
    [async () => ({ kind: 'error', reason: 'servfail' }), 'dns_servfail'],
    [async () => ({ kind: 'found', records: ['127.0.0.1', '::1', '10.0.0.1'] }), 'host_not_public'],
  ];
  for (const [addresses, reason] of cases) {
    const fetchPolicy = await serve(t, listener, { addresses, allow_private: false });
    assert.deepEqual(await fetchPolicy('example.test'), { kind: 'failed', reason });
  }
  assert.deepEqual(connected, []);
});

test('a second address is tried when the first refuses', async (t) => {
  const fetchPolicy = await serve(
    t,
    (_request, response) => void response.writeHead(200, plain).end(policy),
    {
      addresses: async () => ({ kind: 'found', records: ['127.0.0.2', '127.0.0.1'] }),
    },
  );
  assert.equal((await fetchPolicy('example.test')).kind, 'fetched');
});
