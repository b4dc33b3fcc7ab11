import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startWebhookSink, type WebhookSink } from '../../test/support/webhook-sink.ts';
import { compileValidator } from '../base/http/validation.ts';
import { RootSecret } from '../base/secrets.ts';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import { recordConsentEvent } from '../consent/index.ts';
import { createFormAccount, type FormAccount } from '../forms/form-account.fixture.ts';
import { SubmissionTokens } from '../forms/submission-token.ts';
import { publishedEvents } from '../webhooks/payload-schemas.ts';
import { createEndpoint, type CreatedEndpoint } from '../webhooks/webhook-bed.fixture.ts';
import { createRightsTokens } from './rights-tokens.ts';
import { runErasures } from './run-erasures.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
let service: TestService;
let sink: WebhookSink;
before(async () => {
  sink = await startWebhookSink();
  sink.respond({ status: 200, body: 'thank you, ana@sandbox.test' });
  service = await startTestService({
    roles: 'api,web,webhooks',
    env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' },
  });
});
after(async () => {
  await service.stop();
  await sink.stop();
});

interface Account extends FormAccount, ConsentAccount {
  all: CreatedEndpoint;
  /** What was posted to the webhook of all events: type and data. */
  told: () => [string, Record<string, unknown>][];
  types: () => string[];
}

async function openAccount(): Promise<Account> {
  const forms = await createFormAccount(service);
  const { slug } = forms.instance;
  const all = await createEndpoint(forms, `${sink.url}/${slug}`);
  const told = (): [string, Record<string, unknown>][] =>
    sink.requests
      .filter(({ path }) => path === `/${slug}`)
      .map(({ body }) => JSON.parse(String(body)) as { type: string; data: Record<string, unknown> })
      .map(({ type, data }) => [type, data]);
  const types = (): string[] => told().map(([type]) => type);
  return { ...forms, ...(await openConsentAccount(service, forms)), all, told, types };
}

const contactOf = (contact: string) => ({ contact, contact_type: 'email_address' });
const ana = 'ana@sandbox.test';

async function fillIn(
  { panel, fields, sender_id, term_id }: Account,
  more: object = { requires_confirmation: true, auto_reply_sender_id: sender_id },
): Promise<number> {
  const items = [
    ...['EMAIL', 'FIRST_NAME'].map((key) => ({ kind: 'field', field_id: fields[key] })),
    { kind: 'consent', term_id },
  ];
  const form = { name: 'News', kind: 'advanced', type: 'registration', items };
  const made = await panel.post('/v1/private/forms', { ...form, ...more });
  const sent = await fetch(`${service.base_url}/f/${made.json.public_token}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ EMAIL: ana, FIRST_NAME: 'Ana', consent: String(term_id) }),
  });
  assert.equal(sent.status, 303, await sent.text());
  const list = await panel.get(`/v1/private/forms/${made.json.id}/submissions`);
  return list.json.data[0].id;
}

async function ask({ api }: Account, kind: string, contact: string): Promise<number> {
  const asked = await api.post('/v1/rights-requests', { kind, contacts: [contactOf(contact)] });
  assert.equal(asked.status, 201, asked.text);
  return asked.json.id;
}

/** The states of all deliveries of the webhook, newest first, once none waits. */
async function statesOf({ panel, all }: Account): Promise<string[]> {
  return await waitFor(async () => {
    const { json } = await panel.get(`/v1/private/webhooks/${all.id}/deliveries`);
    const rows = json.data as { type: string; state: string; last_error: string | null }[];
    if (rows.some(({ state }) => state === 'pending')) return undefined;
    return rows.map(({ type, state, last_error }) => `${type} ${last_error ?? state}`);
  });
}

test('forms, consents and requests are told as they happen, signed, to webhooks that want them', async () => {
  const account = await openAccount();
  const { api, panel, all, told, types } = account;
  await createEndpoint(account, `${sink.url}/listed`, { events: ['consent.granted'] });
  await createEndpoint(account, `${sink.url}/resend`, { format: 'resend' });
  await createEndpoint(await service.tenant(), `${sink.url}/other`);
  const id = await fillIn(account);
  await waitFor(() => types().length === 1);
  const link = `${service.base_url}/confirm/${new SubmissionTokens(secret).make(id)}`;
  await fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });
  await account.recordDeny(ana, { term_id: account.term_id, purpose_id: account.purpose_id });
  await ask(account, 'access', ana);
  await waitFor(() => types().length === 5);
  assert.deepEqual(types().toSorted(), [
    'consent.granted',
    'consent.withdrawn',
    'form.confirmed',
    'form.submitted',
    'rights.requested',
  ]);
  for (const [type, data] of told()) {
    const schema = publishedEvents.find(({ name }) => name === type)?.schema;
    const event = { type, timestamp: '2026-12-01T12:00:00.000Z', data };
    assert.deepEqual(schema && compileValidator(schema)(event), [], type);
  }
  const dataOf = (type: string) => told().find(([each]) => each === type)?.[1];
  const answers = { EMAIL: ana, FIRST_NAME: 'Ana' };
  const { submission_id, status } = dataOf('form.submitted') ?? {};
  assert.deepEqual([submission_id, status, dataOf('form.submitted')?.['answers']], [id, 'pending', answers]);
  assert.equal(dataOf('form.confirmed')?.['status'], 'confirmed');
  assert.deepEqual(dataOf('consent.granted')?.['rules'], [
    { ...contactOf(ana), channel: 'mail', purpose_id: account.purpose_id, purpose_code: 'marketing' },
  ]);
  assert.ok(!JSON.stringify(dataOf('rights.requested')).includes('ana'));
  const others = sink.requests.map(({ path }) => path);
  assert.deepEqual(
    ['/listed', '/resend', '/other'].map((path) => others.filter((each) => each === path).length),
    [1, 0, 0],
  );
  const first = sink.requests.find(({ path }) => path === `/${account.instance.slug}`);
  new Webhook(all.secret).verify(String(first?.body), first?.headers as Record<string, string>);
  const { json } = await panel.get(`/v1/private/webhooks/${all.id}/deliveries`);
  const [newest] = json.data;
  const path = `/v1/private/webhooks/${all.id}/deliveries/${newest.id}`;
  const detail = (await panel.get(path)).json;
  assert.deepEqual([detail.log[0].status_code, detail.log[0].response_body], [200, '']);
  assert.equal((await panel.post(`${path}/replay`, {})).status, 200);
  await waitFor(() => types().length === 6);
  const example = await api.post(`/v1/webhooks/${all.id}/test?type=consent.withdrawn`, {});
  assert.equal(example.json.delivered, true, example.text);
});

test('what is not stored is not told', async () => {
  const account = await openAccount();
  const { first, marketing, instance, types } = account;
  const rule = {
    channel: 'mail',
    contact_type: 'email_address',
    contact: ana,
    purpose_id: marketing,
  } as const;
  const failed = service.db.transaction(async (tx) => {
    await recordConsentEvent(tx, instance.id, {
      term_id: first.id,
      term_version_id: first.version_id,
      status: 'confirmed',
      method: 'single_opt_in',
      source: 'api',
      evidence: {},
      at: new Date(),
      rules: [{ ...rule, action: 'allow' }],
    });
    throw new Error('the end');
  });
  await assert.rejects(failed, /the end/);
  await account.recordAllow('eva@sandbox.test');
  await waitFor(() => types().length === 1);
  assert.deepEqual(await statesOf(account), ['consent.granted delivered']);
});

test('nothing about a person who is blocked is posted', async () => {
  const account = await openAccount();
  const request = await ask(account, 'blocking', ana);
  await waitFor(() => account.types().length === 1);
  assert.equal((await account.api.post(`/v1/rights-requests/${request}/fulfil`, {})).status, 200);
  await account.recordDeny(ana);
  await account.recordAllow('eva@sandbox.test');
  await waitFor(() => account.types().includes('consent.granted'));
  assert.deepEqual(await statesOf(account), [
    'consent.granted delivered',
    'consent.withdrawn recipient_blocked',
    'rights.requested delivered',
  ]);
  assert.ok(!account.types().includes('consent.withdrawn'));
});

test('nothing about a person who was erased is posted, not by a replay nor of what is recorded later', async () => {
  const account = await openAccount();
  const { api, panel, all, types } = account;
  await fillIn(account, {});
  await account.recordAllow(ana);
  const request = await ask(account, 'erasure', ana);
  await waitFor(() => types().length === 4);
  assert.equal((await api.post(`/v1/rights-requests/${request}/fulfil`, {})).status, 200);
  await waitFor(async () => {
    await runErasures({ db: service.db, now: new Date(), isStopping: () => false });
    return (await api.get(`/v1/rights-requests/${request}`)).json.status === 'fulfilled';
  });
  await account.recordAllow(ana);
  const range = { from: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
  const replayed = await panel.post(`/v1/private/webhooks/${all.id}/replay`, range);
  assert.equal(replayed.status, 200, replayed.text);
  const gone = [
    'consent.granted',
    'rights.requested',
    'consent.granted',
    'form.submitted',
    'consent.granted',
  ];
  const states = await statesOf(account);
  assert.deepEqual(
    states.filter((state) => !state.startsWith('consent.withdrawn')),
    gone.map((type) => `${type} event_gone`),
  );
  assert.equal(types().filter((type) => type !== 'consent.withdrawn').length, 4);
});

test('a request of the page is told once its address is verified', async () => {
  const account = await openAccount();
  const page = `${service.base_url}/rights/${createRightsTokens(secret).page.make(account.instance.id)}`;
  const asked = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ kind: 'access', email: ana, detail: '' }),
  });
  assert.equal(asked.status, 303, await asked.text());
  const [row] = await waitFor(async () => {
    const rows = await service.db.query<{ id: number }>(
      'select id from rights_requests where instance_id = $1',
      [account.instance.id],
    );
    return rows.length > 0 && rows;
  });
  await account.recordAllow('eva@sandbox.test');
  await waitFor(() => account.types().length === 1);
  const token = createRightsTokens(secret).verification.make(row?.id as number);
  await fetch(`${service.base_url}/rights/confirm/${token}`, { method: 'POST', redirect: 'manual' });
  await waitFor(() => account.types().length === 2);
  assert.deepEqual(account.types(), ['consent.granted', 'rights.requested']);
});
