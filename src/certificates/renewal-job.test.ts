import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { after, before, beforeEach, test } from 'node:test';
import { connect } from 'node:tls';
import { startAcmeServer, type AcmeServer } from '../../test/support/acme-server.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { RootSecret } from '../base/secrets.ts';
import { findLastFailure, noteFailure } from './acme-account.ts';
import { findCertificate } from './certificate-store.ts';
import { renewalJob } from './renewal-job.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const names = ['mail.acme.test', 'mx.acme.test'];
const dayMs = 86_400_000;
let acme: AcmeServer;
let first: TestService;
let second: TestService;

before(async () => {
  acme = await startAcmeServer();
  const env = {
    CHASQUI_ACME_DIRECTORY: acme.directory,
    CHASQUI_ACME_EMAIL: 'ops@acme.test',
    CHASQUI_BASE_URL: 'https://mail.acme.test',
    CHASQUI_PLATFORM_DOMAIN: 'acme.test',
    CHASQUI_HTTPS_PORT: '0',
  };
  first = await startTestService({ env, roles: 'api,web,submission' });
  second = await startTestService({ env, roles: 'web,submission,inbound', database: first.database });
});
beforeEach(async () => {
  acme.challenge_port = plainPort(second);
  await first.db.query('delete from certificates');
  await first.db.query('update acme_accounts set next_attempt_at = null, last_error = null, failures = 0');
});
after(async () => {
  await second.stop();
  await first.stop();
  await acme.stop();
});

function plainPort({ service }: TestService): number {
  return service.addresses.http_port ?? 0;
}

async function run(now = new Date(), { directory } = acme): Promise<string> {
  const job = renewalJob({
    directory,
    names,
    email: 'ops@acme.test',
    secret,
    user_agent: 'chasqui/test',
  });
  return await job.run({ db: first.db, now, isStopping: () => false });
}

/** The certificate that a listener shows to who trusts the authority. */
async function shownAt(address: string | undefined, servername: string): Promise<string> {
  const [host, port] = address?.split(':') ?? [];
  const socket = connect({ host, port: Number(port), servername, ca: acme.root });
  try {
    await once(socket, 'secureConnect');
    return new X509Certificate(socket.getPeerCertificate().raw).serialNumber;
  } finally {
    socket.destroy();
  }
}

async function healthOver(address: string | undefined): Promise<unknown[]> {
  const [host, port] = address?.split(':') ?? [];
  const question = get({ host, port, path: '/healthz', servername: 'mail.acme.test', ca: acme.root });
  const [answer] = (await once(question, 'response')) as [IncomingMessage];
  answer.resume();
  return [answer.statusCode, answer.headers['strict-transport-security']];
}

const failure = (message: string) => ({ cause: 'other', message, wait_seconds: 0 }) as const;

test('one node orders a certificate; all nodes show it over HTTPS and SMTP without a restart', async () => {
  assert.match(await run(), /^got a certificate for mail\.acme\.test, mx\.acme\.test, valid until/);
  const stored = await findCertificate(first.db, secret);
  const serial = new X509Certificate(stored?.cert ?? '').serialNumber;
  for (const { service } of [first, second]) {
    const shown = async (address: string | undefined, name: string): Promise<boolean> =>
      (await shownAt(address, name).catch(() => '')) === serial;
    await waitFor(async () => await shown(service.addresses.https, 'mail.acme.test'), { what: 'HTTPS' });
    assert.ok(await shown(service.addresses.submission?.tls, 'mx.acme.test'));
  }
  assert.deepEqual(await healthOver(first.service.addresses.https), [200, 'max-age=31536000']);
  const [row] = await first.db.query<{ private_key: Buffer }>('select private_key from certificates');
  assert.doesNotMatch(row?.private_key.toString('latin1') ?? 'PRIVATE', /PRIVATE|BEGIN/);
  assert.deepEqual(
    [...acme.accounts.values()].map(({ contact }) => contact),
    [['mailto:ops@acme.test']],
  );
});

test('a certificate is renewed when a third of its time is left, or for other names, with the same account', async () => {
  await run();
  const orders = acme.orders.length;
  assert.match(await run(new Date(Date.now() + 55 * dayMs)), /^valid until/);
  assert.equal(acme.orders.length, orders);
  assert.match(await run(new Date(Date.now() + 61 * dayMs)), /^got a certificate/);
  await first.db.query(`update certificates set names = '{mail.acme.test}'`);
  assert.match(await run(), /^got a certificate/);
  assert.equal(acme.orders.length, orders + 2);
  assert.equal(acme.accounts.size, 1);
});

test('another authority is asked at once, and asked again when it refused, whichever was asked before', async () => {
  const staging = await startAcmeServer();
  try {
    staging.challenge_port = plainPort(second);
    await run(new Date(), staging);
    acme.challenge_port = Number(new URL(acme.directory).port);
    await assert.rejects(run(), /unauthorized/);
    await assert.rejects(run(), /^Error: tries again at/);
    acme.challenge_port = plainPort(second);
    const later = new Date(Date.now() + 16 * 60_000);
    assert.match(await run(later), /^got a certificate/);
    assert.match(await run(later), /^valid until/);
    assert.match(await run(later, staging), /^got a certificate/);
  } finally {
    await staging.stop();
  }
});

test('a refused nonce is replaced', async () => {
  acme.refuse_nonces = 1;
  assert.match(await run(), /^got a certificate/);
});

test('a name that leads elsewhere is said, and the authority is left in peace for a while', async () => {
  acme.challenge_port = Number(new URL(acme.directory).port);
  await assert.rejects(run(), /^Error: mail\.acme\.test: the answer was 400 \(unauthorized\)$/);
  assert.match((await findLastFailure(first.db, acme.directory))?.last_error ?? '', /mail\.acme\.test/);
  const orders = acme.orders.length;
  await assert.rejects(run(), /^Error: tries again at .*: mail\.acme\.test: the answer was 400/);
  assert.equal(acme.orders.length, orders);
  acme.challenge_port = plainPort(second);
  assert.match(await run(new Date(Date.now() + 16 * 60_000)), /^got a certificate/);
  assert.equal(await findLastFailure(first.db, acme.directory), undefined);
});

test('a refusal is noted whatever its words, so that the authority is left in peace', async () => {
  await run();
  await noteFailure(first.db, acme.directory, failure(`no\0pe \ud800 ${'😀'.repeat(2_000)}`));
  assert.match((await findLastFailure(first.db, acme.directory))?.last_error ?? '', /^no.?pe/);
  await first.db.query('delete from certificates');
  await assert.rejects(run(), /^Error: tries again at/);
});

test('a wait that is longer than any is not kept to: the clock was set back since', async () => {
  await run();
  await noteFailure(first.db, acme.directory, failure('no'));
  await first.db.query('delete from certificates');
  await assert.rejects(run(), /^Error: tries again at/);
  assert.match(await run(new Date(Date.now() - 2 * dayMs)), /^got a certificate/);
});

test('a certificate for another key is not shown', async (t) => {
  await run();
  const stored = await findCertificate(first.db, secret);
  acme.other_certificate = stored?.cert;
  t.after(() => (acme.other_certificate = undefined));
  await assert.rejects(run(new Date(Date.now() + 61 * dayMs)), /for another key/);
  assert.deepEqual(await findCertificate(first.db, secret), stored);
});

test('an account that the authority has lost is made again', async () => {
  await run();
  acme.accounts.clear();
  await first.db.query('delete from certificates');
  assert.match(await run(), /^got a certificate/);
  assert.equal(acme.accounts.size, 1);
});

test('the plain port leads over to https, but for health pages and challenges', async () => {
  const ask = async (path: string, method = 'GET') =>
    await fetch(`http://127.0.0.1:${plainPort(first)}${path}`, { method, redirect: 'manual' });
  const answer = await ask('/v1/mails/send?a=b', 'POST');
  assert.deepEqual(
    [answer.status, answer.headers.get('location')],
    [308, 'https://mail.acme.test/v1/mails/send?a=b'],
  );
  assert.equal((await ask('/healthz')).status, 200);
  for (const token of ['unknown', '%2e%2e', 'a'.repeat(300)])
    assert.equal((await ask(`/.well-known/acme-challenge/${token}`)).status, 404, token);
});
