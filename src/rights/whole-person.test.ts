import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { startWebhookSink, type WebhookSink } from '../../test/support/webhook-sink.ts';
import { compareCounts } from '../activity/compare-counts.ts';
import { foldStatsJob } from '../activity/fold-stats.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import { verifyChain } from '../consent/chain/verify-chain.ts';
import { noRule } from '../consent/verdict.ts';
import type { Database } from '../base/db/database.ts';
import type { FormAccount } from '../forms/form-account.fixture.ts';
import { examineMails } from '../main/checks.ts';
import { openZip } from '../protocol/zip/open-zip.fixture.ts';
import { startWebhookBed, type WebhookBed } from '../webhooks/webhook-bed.fixture.ts';
import type { AttemptOutcome } from '../webhooks/attempt-record.ts';
import { recordAttempts } from '../webhooks/record-attempts.ts';
import { runErasures } from './run-erasures.ts';
import { operationsThatName } from './operations-that-name.fixture.ts';
import { addressOf, contacts, findTraces, submitToAll, traces, writePerson } from './whole-person.fixture.ts';

const requests = '/v1/rights-requests';
let bed: WebhookBed;
let sink: WebhookSink;
let account: FormAccount;
const job = () => ({ db: bed.service.db, now: new Date(), isStopping: () => false });
before(async () => {
  bed = await startWebhookBed({ roles: 'api,web,submission,inbound,delivery,webhooks' });
  sink = await startWebhookSink({ respond: (request) => ({ status: 200, body: request.body.toString() }) });
  account = await writePerson(bed, sink.url);
  await indexSubjectsJob.run(job());
  await foldStatsJob.run(job());
});
after(async () => {
  await bed.stop();
  await sink.stop();
});

async function ask(kind: string): Promise<{ id: number }> {
  const asked = await account.api.post(requests, { kind, contacts, detail: `${traces.name} asks` });
  assert.equal(asked.status, 201, asked.text);
  return asked.json;
}

const catalogue = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../database/personal-data.json'), 'utf8'),
) as { tables: Record<string, { room?: string; kept?: string; personal?: string[] }> };
const answered = Object.entries(catalogue.tables).filter(([, { room }]) => room !== undefined);

test('the person stands in every table that the catalogue names, or this file shows nothing', async () => {
  await ask('rectification');
  const found = await findTraces(bed.service.db);
  assert.deepEqual(
    answered
      .map(([table]) => table)
      .filter((table) => !found.has(table) && table !== 'consent_event_outcomes'),
    [],
  );
  const reports = await bed.service.db.query('select from dmarc_reports');
  assert.equal(reports.length, 1, 'a DMARC report was taken, and nothing of its letter kept');
  assert.ok(!found.has('dmarc_reports') && !found.has('dmarc_rows'));
});

test('the archive has everything that names the person, for people and for programs', async () => {
  const { id } = await ask('access');
  const response = await fetch(`${bed.service.base_url}${requests}/${id}/archive`, {
    headers: { authorization: `Bearer ${account.api_key}`, 'x-instance-slug': account.instance.slug },
  });
  assert.equal(response.headers.get('content-type'), 'application/zip');
  const files = await openZip(Buffer.from(await response.arrayBuffer()));
  const schema = JSON.parse(files.get('schema.json') ?? '{}');
  for (const name of Object.keys(schema.files)) {
    const rows = JSON.parse(files.get(`${name}.json`) ?? 'null');
    assert.ok(Array.isArray(rows) && rows.length > 0, `${name} has rows`);
    assert.deepEqual(
      Object.keys(rows[0]).toSorted(),
      Object.keys(schema.files[name].columns).toSorted(),
      name,
    );
    // Deliveries name mails; the addresses of the sender’s systems are left out.
    if (name !== 'webhook_deliveries') assert.match(JSON.stringify(rows), /zulema|Quispe|ajayu/, name);
    assert.match(files.get(`${name}.csv`) ?? '', new RegExp(`^\u{feff}"${Object.keys(rows[0])[0]}"`), name);
  }
  const mails = JSON.parse(files.get('mails.json') ?? '[]');
  assert.equal(
    mails.length,
    10,
    'seven over HTTP, one over SMTP, the confirmation of the form, the link to change it',
  );
  for (const { mail_id } of mails) assert.ok(files.has(`mails/${mail_id}.eml`), mail_id);
  assert.match(files.get('consents.json') ?? '', /I agree\./);
  assert.match(files.get('index.html') ?? '', /<html lang="es">[^]*zulema[^]*no hacen nada/);
  assert.doesNotMatch(files.get('mails.json') ?? '', /somebody@/, 'and nobody else');
});

test('while the person is blocked, no list, export or record names them, and the explanation says why', async () => {
  const named = async (): Promise<string[]> => await operationsThatName(bed.service, account);
  const beforeIt = await named();
  assert.ok(beforeIt.length > 25, `${beforeIt.length} operations name the person`);
  const blocked = contacts.filter(({ contact }) => contact !== addressOf('softbounce'));
  const asked = await account.api.post(requests, { kind: 'blocking', contacts: blocked });
  const at = `${requests}/${asked.json.id}`;
  assert.equal((await account.api.post(`${at}/fulfil`, {})).status, 200);
  assert.deepEqual(await named(), []);
  const sent = await account.api.post('/v1/mails/send', {
    sender_email: `test@${account.instance.slug}.sandbox.test`,
    to: [{ email: addressOf('delivered') }],
    subject: 'Blocked',
    html: '<p>Blocked</p>',
  });
  const [mail] = await bed.service.db.query<{ mail_id: string }>(
    'select mail_id from mails where msg_id = $1',
    [sent.json.message_id],
  );
  const explained = await account.api.get(`/v1/mails/${mail?.mail_id}/explanation`);
  assert.equal(explained.json.cause.code, 'recipient_blocked');
  assert.match(JSON.stringify(explained.json), new RegExp(new Date().toISOString().slice(0, 10)));
  await neitherPostedNorResolved(mail?.mail_id);
  assert.equal((await account.api.post(`${at}/lift`, {})).status, 200);
  // Deliveries that ended in between may show more.
  const afterIt = new Set(await named());
  assert.deepEqual(
    beforeIt.filter((each) => !afterIt.has(each)),
    [],
    'it was kept, and is shown again',
  );
  await indexSubjectsJob.run(job());
});

/** The drop of this mail is not posted to the webhook, and the verdict of the person is a denial without a record. */
async function neitherPostedNorResolved(mailId: string | undefined): Promise<void> {
  const drop = async () =>
    await bed.service.db.query<{ state: string; last_error: string; attempts: number }>(
      'select state, last_error, attempts from webhook_deliveries where mail_id = $1 and due_at is null',
      [mailId],
    );
  await waitFor(async () => (await drop()).length > 0, { what: 'the delivery that is withheld' });
  assert.deepEqual(await drop(), [{ state: 'discarded', last_error: 'recipient_blocked', attempts: 0 }]);
  assert.deepEqual(
    sink.requests.filter(({ body }) => body.includes(String(mailId))),
    [],
  );
  const query = new URLSearchParams({
    contact: addressOf('form').toUpperCase(),
    contact_type: 'email_address',
    purpose_id: String(account.purpose_id),
  });
  const { json } = await account.api.get(`/v1/consent-rules/resolve?${query.toString()}`);
  const [{ contact: _contact, contact_type: _type, ...result }] = json.results;
  assert.deepEqual(
    [json.verdict, result],
    ['deny', { ...noRule, verdict: 'deny', is_applied_by_sends: true }],
  );
}

test('an erasure leaves no trace but the sealed evidence, and counts, chain and evidence as they were', async () => {
  const { db } = bed.service;
  const beforeIt = await account.api.get('/v1/stats/overview');
  const chain = await verifyChain(db, account.instance.id);
  const { id } = await ask('erasure');
  const under_way = await postpone(db);
  await account.api.patch(`${requests}/${id}`, { note: `Rang as ${traces.name}` });
  const started = await account.api.post(`${requests}/${id}/fulfil`, { resolution: `For ${traces.name}` });
  assert.deepEqual([started.json.status, started.json.started_at !== null], ['open', true]);
  await waitFor(async () => (await runErasures(job())).left === 0, { what: 'the erasure', interval_ms: 200 });
  await recordAttempts(db, [under_way], new Date());
  const done = await account.api.get(`${requests}/${id}`);
  assert.deepEqual([done.json.status, done.json.contacts, done.json.resolution], ['fulfilled', [], null]);

  const sealed = new Set(['consent_events', 'consent_rules']);
  const left = await findTraces(db);
  assert.deepEqual(new Map([...left].filter(([table]) => !sealed.has(table))), new Map());
  assert.deepEqual(
    bed.service.logged.filter((line) => /zulema|Quispe|ajayu/i.test(line)),
    [],
  );

  await foldStatsJob.run(job());
  assert.deepEqual((await compareCounts(db)).differences, []);
  await examineMails(db);
  const afterIt = await account.api.get('/v1/stats/overview');
  const { received, opens, clicks, bounced, complaints, unsubscribes } = afterIt.json.totals;
  assert.deepEqual(
    { received, opens, clicks, bounced, complaints, unsubscribes },
    (({ totals }) => ({
      received: totals.received,
      opens: totals.opens,
      clicks: totals.clicks,
      bounced: totals.bounced,
      complaints: totals.complaints,
      unsubscribes: totals.unsubscribes,
    }))(beforeIt.json),
  );
  const [dropped] = await db.query<{ reason: string }>(
    `select reason from events where instance_id = $1 and event = 'dropped' order by at desc limit 1`,
    [account.instance.id],
  );
  assert.equal(dropped?.reason, 'recipient_erased', 'what waited in the queue was dropped');
  const again = await verifyChain(db, account.instance.id);
  assert.deepEqual([again.is_intact, again.checked > chain.checked], [true, true]);
});

/** A delivery to the endpoint that is under way, and how it will end: with an answer that repeats what it was told. */
async function postpone(db: Database): Promise<AttemptOutcome> {
  const lease = randomUUID();
  const [delivery] = await db.query<{ id: number; webhook_id: number }>(
    `update webhook_deliveries set state = 'pending', due_at = now() + interval '1 hour', lease = $1,
       leased_until = now() + interval '1 hour'
     where id = (select id from webhook_deliveries where log::text like '%${traces.address}%' limit 1)
     returning id, webhook_id`,
    [lease],
  );
  assert.ok(delivery);
  const at = new Date();
  return {
    ...delivery,
    lease,
    started_at: at,
    finished_at: at,
    state: 'delivered',
    due_at: null,
    status_code: 200,
    error: null,
    is_gone: false,
    logged: { response_body: `Thanks, ${addressOf('delivered')}` } as AttemptOutcome['logged'],
  };
}

test('only a rights request reads the evidence, and the person gets no more mail', async () => {
  const listed = await account.api.get(`/v1/consent-events?contact=${encodeURIComponent(addressOf('form'))}`);
  assert.deepEqual(listed.json.data, []);
  const evidence = await account.panel.get(
    `/v1/private/consent-evidence?contact=${encodeURIComponent(addressOf('form'))}`,
  );
  assert.deepEqual(evidence.json.events, []);
  await bed.service.db.query(`delete from audit_events where object_id = $1`, [addressOf('form')]);

  const sent = await account.api.post('/v1/mails/send', {
    sender_email: `test@${account.instance.slug}.sandbox.test`,
    to: [{ email: addressOf('delivered').toUpperCase(), name: traces.name }, { email: 'other@sandbox.test' }],
    subject: 'Hello again',
    html: '<p>Hello again</p>',
  });
  const mails = await bed.service.db.query<{ recipient: string; status: number; mail_id: string }>(
    'select mail_id, recipient, status from mails where msg_id = $1 order by mail_id',
    [sent.json.message_id],
  );
  assert.deepEqual([mails[0]?.recipient, mails[0]?.status], ['erased@erased.invalid', 4]);
  const explained = await account.api.get(`/v1/mails/${mails[0]?.mail_id}/explanation`);
  assert.equal(explained.json.cause.code, 'recipient_erased');
  await submitToAll(bed, account);
  assert.deepEqual([...(await findTraces(bed.service.db)).keys()], ['consent_events', 'consent_rules']);
});

test('a person who was erased and asks again gets the sealed evidence', async () => {
  const { id } = await ask('access');
  const response = await fetch(`${bed.service.base_url}${requests}/${id}/archive`, {
    headers: { authorization: `Bearer ${account.api_key}`, 'x-instance-slug': account.instance.slug },
  });
  const files = await openZip(Buffer.from(await response.arrayBuffer()));
  const [consent] = JSON.parse(files.get('consents.json') ?? '[]');
  assert.deepEqual([consent.is_sealed, consent.text], [true, 'I agree.']);
  assert.equal(files.get('mails.json'), '[]\n');
});
