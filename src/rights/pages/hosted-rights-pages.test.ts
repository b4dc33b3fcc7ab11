import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaitNotifications } from '../../../test/support/await-notifications.ts';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { signIn } from '../../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { limitPlatformMail } from '../../limits/index.ts';

const clock = createMovableClock(new Date().toISOString());
let service: TestService;
let tenant: Tenant;
let page: string;
before(async () => {
  service = await startTestService({ roles: 'api,web', clock, env: { CHASQUI_TRUST_PROXY: 'true' } });
  tenant = await service.tenant();
  const admin = await signIn(service, tenant, 'admin');
  const { url } = (await admin.get('/v1/private/rights-page')).json;
  // The port is known only once the service listens.
  page = service.base_url + new URL(url).pathname;
});
after(async () => await service.stop());

const ask = async (fields: Record<string, string>, address = '192.0.2.1') =>
  await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { 'x-forwarded-for': address },
  });
const listed = async () => (await tenant.api.get('/v1/rights-requests')).json.data;

/** The link in the newest mail of the platform to the address. */
async function linkTo(email: string): Promise<string> {
  const [mail] = await service.db.query<{ text: Buffer }>(
    `select g.text from mails m join messages g on g.msg_id = m.msg_id where m.recipient = $1 order by m.mail_id desc limit 1`,
    [email],
  );
  const [link] = /https?:\S+\/rights\/confirm\/[\w-]+/.exec(mail?.text.toString() ?? '') ?? [];
  assert.ok(link, 'the mail has a link');
  return service.base_url + new URL(link).pathname;
}

test('a person asks in their language, and the request counts once they followed the link', async () => {
  for (const [language, title] of [
    ['es-CL', 'Tus datos en'],
    ['en', 'Your data at'],
  ] as const) {
    const shown = await fetch(page, { headers: { 'accept-language': language } });
    assert.match(await shown.text(), new RegExp(`<h1>${title} `));
    assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  }
  const asked = await ask({ kind: 'access', email: 'Persona@sandbox.test', detail: 'Por favor' });
  assert.equal(asked.status, 303);
  const [request] = await listed();
  assert.deepEqual([request.status, request.origin, request.detail], ['unverified', 'page', 'Por favor']);
  const early = await tenant.api.post(`/v1/rights-requests/${request.id}/fulfil`, {});
  assert.equal(early.json.code, 'rights_request_unverified');

  const link = await linkTo('Persona@sandbox.test');
  assert.match(await (await fetch(link)).text(), /<form method="post">/);
  assert.equal((await listed())[0].status, 'unverified', 'a scanner that follows the link changes nothing');
  await fetch(link, { method: 'POST', redirect: 'manual' });
  const [verified] = await listed();
  assert.deepEqual([verified.status, verified.due_at], ['open', request.due_at]);
  assert.match(await (await fetch(link)).text(), new RegExp(verified.due_at.slice(0, 10)));
});

test('the day of the answer is that of the time zone of the instance', async () => {
  assert.equal((await ask({ kind: 'access', email: 'day@sandbox.test' })).status, 303);
  const link = await linkTo('day@sandbox.test');
  await fetch(link, { method: 'POST', redirect: 'manual' });
  const due_at = '2026-12-31T02:30:00Z';
  await service.db.query(`update rights_requests set due_at = $1 where contacts::text like '%day@%'`, [
    due_at,
  ]);
  for (const [timezone, day] of [
    ['America/Santiago', '2026-12-30'],
    ['UTC', '2026-12-31'],
  ] as const) {
    await service.db.query('update instances set timezone = $2 where id = $1', [
      tenant.instance.id,
      timezone,
    ]);
    assert.match(await (await fetch(link)).text(), new RegExp(day));
  }
});

test('an incomplete request is asked for again; bots and forged links are refused', async () => {
  const beforeIt = (await listed()).length;
  const wrong = await ask({ kind: 'everything', email: 'no address' });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /role="alert"/);
  assert.equal((await ask({ kind: 'access', email: 'a@sandbox.test', website: 'x' })).status, 303);
  assert.equal((await listed()).length, beforeIt);
  assert.equal((await fetch(`${page.slice(0, -3)}AAA`)).status, 404);
  assert.equal((await fetch(`${service.base_url}/rights/confirm/${'A'.repeat(32)}`)).status, 404);
});

test('a link is valid for seven days, and one address asks only so often', async () => {
  assert.equal((await ask({ kind: 'erasure', email: 'late@sandbox.test' })).status, 303);
  const link = await linkTo('late@sandbox.test');
  clock.advance(8 * 86_400_000);
  assert.equal((await fetch(link)).status, 410);
  await fetch(link, { method: 'POST', redirect: 'manual' });
  const late = (await listed()).filter(({ kind }: { kind: string }) => kind === 'erasure');
  assert.deepEqual(
    late.map(({ status }: { status: string }) => status),
    ['unverified'],
  );
  const answers: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    answers.push((await ask({ kind: 'access', email: `many-${count}@sandbox.test` })).status);
  }
  assert.equal(answers.at(-1), 429);
});

test('an IPv6 host picks addresses of its /64 at will, and asks no more often for it', async () => {
  const answers: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const fields = { kind: 'access', email: `host-${n}@sandbox.test` };
    answers.push((await ask(fields, `2001:db8::${n + 1}`)).status);
  }
  assert.deepEqual(answers, [303, 303, 303, 303, 303, 429]);
});

test('confirmations of forms, and links that could not be queued, do not use up what a person may be sent', async () => {
  const { db } = service;
  const email = 'wanted@sandbox.test';
  const limits = {
    per_recipient_day: 3,
    per_instance_hour: 0,
    confirmations_per_instance_hour: 0,
    per_network_hour: 0,
  };
  const form = { kind: 'confirmation', instance_id: tenant.instance.id, recipient: email } as const;
  for (let n = 0; n < 3; n += 1) await limitPlatformMail(db, limits, { ...form, address: undefined });
  const subscribe = async (status: 'active' | 'inactive'): Promise<void> => {
    await db.query('update instances set subscription_status = $1 where is_platform', [status]);
    await awaitNotifications(service);
  };
  const send = async (address: string) => (await ask({ kind: 'access', email }, address)).status;
  await subscribe('inactive');
  try {
    for (let n = 0; n < 5; n += 1) await send('192.0.2.77');
  } finally {
    await subscribe('active');
  }
  await waitFor(
    async () => {
      assert.equal(await send('192.0.2.78'), 303);
      return (await db.query('select from mails where recipient = $1', [email])).length > 0;
    },
    { interval_ms: 500 },
  );
});
