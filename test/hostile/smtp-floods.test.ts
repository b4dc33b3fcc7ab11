import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { createSmtpCredential } from '../../src/credentials/smtp-credentials.ts';
import { openGreeted, openRaw } from '../../src/protocol/smtp/raw-client.fixture.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';

const authTimeoutSeconds = 15;
const max_unauthenticated = 200;
const perSource = 20;
const portOf = (address: string | undefined): number => Number(address?.split(':').at(-1));

let service: TestService;
let tenant: Tenant;
let login: { username: string; password: string };
before(async () => {
  service = await startTestService({
    env: {
      CHASQUI_SUBMISSION_MAX_CONNECTIONS: '400',
      CHASQUI_SUBMISSION_MAX_UNAUTHENTICATED: String(max_unauthenticated),
      CHASQUI_SUBMISSION_MAX_UNAUTHENTICATED_PER_SOURCE: String(perSource),
      CHASQUI_SUBMISSION_AUTH_TIMEOUT_SECONDS: String(authTimeoutSeconds),
      CHASQUI_SUBMISSION_COMMANDS_BEFORE_AUTH: '50',
    },
  });
  tenant = await service.tenant();
  login = await service.db.transaction(
    async (tx) =>
      await createSmtpCredential(tx, tenant.instance.id, { name: 'test', actor: { kind: 'operator' } }),
  );
});
after(async () => await service.stop());

/** From signing in to the answer to the message. */
async function send(secure: boolean): Promise<number> {
  const { starttls, tls } = service.service.addresses.submission ?? {};
  const transport = createTransport({
    host: '127.0.0.1',
    port: portOf(secure ? tls : starttls),
    secure,
    requireTLS: !secure,
    tls: { rejectUnauthorized: false },
    auth: { user: login.username, pass: login.password },
  });
  const began = performance.now();
  try {
    await transport.sendMail({
      from: `test@${tenant.instance.slug}.sandbox.test`,
      to: 'delivered@sandbox.test',
      subject: 'Hello',
      text: 'Hello',
    });
    return performance.now() - began;
  } finally {
    transport.close();
  }
}

/** Idle sessions from twenty networks, each as many as one source may have; attackers do not wait for each other. */
async function flood(t: TestContext, port: number): Promise<void> {
  const addresses = Array.from({ length: 20 * perSource }, (_, index) => `127.0.${(index % 20) + 1}.1`);
  await Promise.all(addresses.map(async (address) => await openRaw(t, port, address)));
}

async function openConnections(authenticated: boolean): Promise<number> {
  const text = await (await fetch(`${service.metrics_url}/metrics`)).text();
  const pattern = new RegExp(
    `^chasqui_submission_connections\\{[^}]*authenticated="${authenticated}"[^}]*\\} (\\d+)$`,
    'm',
  );
  return Number(pattern.exec(text)?.[1] ?? assert.fail(text));
}

test('four hundred idle sessions do not keep others from signing in and sending, over either port', async (t) => {
  await send(false);
  await flood(t, portOf(service.service.addresses.submission?.starttls));
  assert.ok((await openConnections(false)) <= max_unauthenticated);
  for (const secure of [false, true]) {
    const took = await send(secure);
    // An idle session may last fifteen seconds.
    assert.ok(took < 10_000, `${took} ms`);
  }
});

test('one address has few sessions before AUTH', async (t) => {
  const port = portOf(service.service.addresses.submission?.starttls);
  const opened = Array.from({ length: perSource + 1 }, async () => await openRaw(t, port, '127.0.30.1'));
  const greetings = await Promise.all(
    (await Promise.all(opened)).map(async (client) => await client.reply()),
  );
  const refused = greetings.filter((greeting) => !greeting.startsWith('220'));
  assert.equal(refused.length, 1);
  assert.match(refused[0] ?? '', /^421 4\.7\.0 Too many connections from your network that have not/);
});

test('a session that only says NOOP is ended when its time is over', async (t) => {
  const client = await openGreeted(t, portOf(service.service.addresses.submission?.starttls));
  const began = performance.now();
  let answer = '250';
  while (answer.startsWith('250')) {
    await delay(500);
    answer = await client.say('NOOP');
  }
  assert.match(answer, /^421 4\.7\.0 Not authenticated in time/);
  assert.ok(performance.now() - began < (authTimeoutSeconds + 6) * 1_000);
});

test('a session that says too much before AUTH is ended', async (t) => {
  const client = await openGreeted(t, portOf(service.service.addresses.submission?.starttls));
  let [answer, said] = ['250', 0];
  for (; answer.startsWith('250') && said < 100; said += 1) answer = await client.say('NOOP');
  assert.match(answer, /^421 4\.7\.0 Too many commands without authentication/);
  assert.equal(said, 50);
});
