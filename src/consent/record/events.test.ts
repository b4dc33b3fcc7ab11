import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { signIn } from '../../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import type { ConsentEvent } from './event-schemas.ts';
import { recordConsentEvent } from './record-event.ts';
import { confirmConsentEvent, expireConsentEvents } from './settle-event.ts';

const clock = createMovableClock('2026-06-01T12:00:00.123Z');
let service: TestService;
let account: ConsentAccount;
before(async () => {
  service = await startTestService({ clock });
  account = await openConsentAccount(service);
});
after(async () => await service.stop());

const idsOf = (data: ConsentEvent[]): number[] => data.map(({ id }) => id);

test('a consent is recorded with the current version, confirmed, from the API, and its Location leads to it', async () => {
  const { first, marketing, newsletter, api, post } = account;
  const answer = await post({
    method: 'double_opt_in',
    rules: [
      {
        contact_type: 'email_address',
        contact: '  Ana@Example.COM ',
        purpose_id: marketing,
        action: 'allow',
      },
      {
        channel: 'sms',
        contact_type: 'uniquecode',
        contact: ' Ab-1 ',
        purpose_id: newsletter,
        action: 'deny',
      },
    ],
  });
  assert.equal(answer.status, 201, answer.text);
  const { id, rules, ...event } = answer.json;
  assert.equal(answer.headers.get('location'), `/v1/consent-events/${id}`);
  const now = '2026-06-01T12:00:00.123Z';
  assert.deepEqual(event, {
    term_id: first.id,
    term_version_id: first.version_id,
    status: 'confirmed',
    method: 'double_opt_in',
    source: 'api',
    confirmed_at: now,
    expired_at: null,
    created_at: now,
  });
  assert.deepEqual(
    rules.map(({ id: _id, ...rule }: Record<string, unknown>) => rule),
    [
      {
        channel: 'mail',
        contact_type: 'email_address',
        contact: 'ana@example.com',
        purpose_id: marketing,
        action: 'allow',
        created_at: now,
      },
      {
        channel: 'sms',
        contact_type: 'uniquecode',
        contact: ' Ab-1 ',
        purpose_id: newsletter,
        action: 'deny',
        created_at: now,
      },
    ],
  );
  const read = await api.get(`/v1/consent-events/${id}`);
  assert.deepEqual(read.json, answer.json);
});

test('an event keeps who recorded it and from where', async () => {
  const { api, first, marketing } = account;
  const rule = { contact_type: 'uniquecode', contact: 'kept', purpose_id: marketing, action: 'allow' };
  const body = { term_id: first.id, method: 'single_opt_in', rules: [rule] };
  const { json } = await api.post('/v1/consent-events', body, { 'user-agent': 'x'.repeat(2_000) });
  const [row] = await service.db.query<{ evidence: Record<string, string> }>(
    'select evidence from consent_events where id = $1',
    [json.id],
  );
  assert.match(row?.evidence['actor'] ?? '', /^api_key:[a-z0-9]{16}$/);
  assert.equal(row?.evidence['address'], '127.0.0.1');
  assert.equal(row?.evidence['user_agent'], 'x'.repeat(512));
});

test('the history is listed most recent first, a grant and its withdrawal as two events', async () => {
  const own = await openConsentAccount(service);
  const granted = await own.recordAllow('Eva@example.com');
  const revoked = await own.recordDeny('eva@EXAMPLE.com');
  const other = await own.recordAllow('otra@example.com');
  const { json } = await own.api.get('/v1/consent-events');
  assert.deepEqual(json.data, [other, revoked, granted]);
  const ofEva = await own.api.get(`/v1/consent-events?contact=${encodeURIComponent(' EVA@example.com')}`);
  assert.deepEqual(ofEva.json.data, [revoked, granted]);
  const paged = await own.api.get('/v1/consent-events?page_size=2&page=2');
  assert.deepEqual(paged.json.data, [granted]);
  assert.equal(paged.json.pagination.total_items, 3);
});

test('the contact filter is exact: a unique code in its own letters, an email in any, never a part', async () => {
  const own = await openConsentAccount(service);
  const code = { contact_type: 'uniquecode' } as const;
  const upper = await own.recordAllow('CODE-1', code);
  const lower = await own.recordAllow('code-1', code);
  const phone = await own.recordAllow('+56 9 1234 5678', { channel: 'sms', contact_type: 'phone_number' });
  const found = async (contact: string): Promise<number[]> =>
    idsOf(
      (await own.api.get(`/v1/consent-events?contact=${encodeURIComponent(contact)}`)).json
        .data as ConsentEvent[],
    );
  assert.deepEqual(await found('CODE-1'), [upper.id]);
  assert.deepEqual(await found('code-1'), [lower.id]);
  assert.deepEqual(await found('code'), []);
  assert.deepEqual(await found('code_1'), []);
  assert.deepEqual(await found('+56912345678'), [phone.id]);
});

test('channel, purpose and action are of one rule, and days are of the zone asked for', async () => {
  const own = await openConsentAccount(service);
  const [marketing, newsletter] = [own.marketing, own.newsletter];
  const contact = { contact_type: 'email_address', contact: 'rosa@example.com' } as const;
  const { json: both } = await own.post({
    rules: [
      { ...contact, purpose_id: marketing, action: 'allow' },
      { ...contact, purpose_id: newsletter, action: 'deny' },
    ],
  });
  const code = { channel: 'push', contact_type: 'uniquecode', purpose_id: newsletter } as const;
  const pushed = await own.recordAllow('R-1', code);
  const found = async (query: string): Promise<number[]> =>
    idsOf((await own.api.get(`/v1/consent-events?${query}`)).json.data as ConsentEvent[]);
  assert.deepEqual(await found('action=allow'), [pushed.id, both.id]);
  assert.deepEqual(await found('action=deny'), [both.id]);
  assert.deepEqual(await found('channel=push'), [pushed.id]);
  assert.deepEqual(await found(`purpose_id=${newsletter}&action=allow`), [pushed.id]);
  assert.deepEqual(await found(`purpose_id=${newsletter}&action=allow&channel=mail`), []);
  const today = clock.now().toISOString().slice(0, 10);
  assert.deepEqual(await found(`start_date=${today}&end_date=${today}`), [pushed.id, both.id]);
  assert.deepEqual(await found('end_date=2026-05-31'), []);
  // Noon of UTC is the next day already on Kiritimati, 14 hours ahead.
  assert.deepEqual(await found(`end_date=${today}&tz=Pacific/Kiritimati`), []);
  assert.equal((await own.api.get('/v1/consent-events?start_date=yesterday')).status, 400);
});

test('a pending event can be confirmed or expire, once, and shows when', async () => {
  const own = await openConsentAccount(service);
  const { instance, first, marketing, api } = own;
  const rule = {
    channel: 'mail',
    contact_type: 'email_address',
    contact: 'p@x.cl',
    purpose_id: marketing,
    action: 'allow',
  } as const;
  const given = {
    term_id: first.id,
    term_version_id: first.version_id,
    status: 'pending',
    method: 'double_opt_in',
    source: 'form',
    evidence: { submission_id: '7' },
    at: clock.now(),
    rules: [rule],
  } as const;
  const record = async (): Promise<number> =>
    await service.db.transaction(
      async (tx) => (await recordConsentEvent(tx, instance.id, { ...given, rules: [rule] })).id,
    );
  const [waits, confirmed, expired] = [await record(), await record(), await record()];
  const at = clock.advance(60_000);
  const confirm = async (id: number): Promise<void> =>
    await service.db.transaction(
      async (tx) => await confirmConsentEvent(tx, instance.id, { id, evidence: {}, at }),
    );
  await confirm(confirmed);
  await service.db.transaction(async (tx) => {
    const ids = await expireConsentEvents(tx, instance.id, { ids: [confirmed, expired], at });
    assert.deepEqual(ids, [expired]);
  });
  for (const id of [confirmed, expired]) {
    await assert.rejects(confirm(id), { code: 'consent_event_not_pending' });
  }
  await assert.rejects(confirm(waits + 1_000), { code: 'consent_event_not_found' });
  const times = async (id: number): Promise<unknown[]> => {
    const { json } = await api.get(`/v1/consent-events/${id}`);
    return [json.status, json.confirmed_at, json.expired_at];
  };
  assert.deepEqual(await times(waits), ['pending', null, null]);
  assert.deepEqual(await times(confirmed), ['confirmed', at.toISOString(), null]);
  assert.deepEqual(await times(expired), ['expired', null, at.toISOString()]);
  const granted = await own.recordAllow('q@x.cl');
  for (const [status, ids] of [
    ['pending', [waits]],
    ['confirmed', [granted.id, confirmed]],
    ['expired', [expired]],
  ] as const) {
    const { json } = await api.get(`/v1/consent-events?status=${status}`);
    assert.deepEqual(idsOf(json.data), ids, status);
  }
  const owner = await signIn(service, own, 'owner');
  const givenUp = await owner.post(`/v1/private/consent-events/${waits}/expire`);
  assert.deepEqual([givenUp.status, givenUp.json.status], [200, 'expired']);
  const again = await owner.post(`/v1/private/consent-events/${waits}/expire`);
  assert.deepEqual([again.status, again.json.code], [409, 'consent_event_not_pending']);
  const otherTerm = await own.term();
  const ofTerm = await api.get(`/v1/consent-events?term_id=${otherTerm.id}`);
  assert.deepEqual(ofTerm.json.data, []);
});

test('consents that come at the same moment are all recorded, and a refused one touches no other', async () => {
  const own = await openConsentAccount(service);
  const other = await openConsentAccount(service);
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      if (n % 10 === 3) return await own.post({ term_id: other.first.id });
      const rule = {
        contact_type: 'uniquecode',
        contact: `C${n}`,
        purpose_id: (n % 2 ? own : other).marketing,
        action: 'allow',
      } as const;
      return await (n % 2 ? own : other).post({ rules: [rule] });
    }),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, n) => (n % 10 === 3 ? 404 : 201)),
  );
  for (const [n, { json }] of answers.entries()) {
    if (json.rules) assert.equal(json.rules[0].contact, `C${n}`, 'each gets its own');
  }
  const { json } = await own.api.get('/v1/consent-events?page_size=100');
  assert.equal(json.pagination.total_items, 12);
});

test('people in the panel read the same', async () => {
  const own = await openConsentAccount(service);
  const event = await own.recordAllow('panel@example.com');
  const viewer = await signIn(service, own, 'viewer');
  assert.deepEqual((await viewer.get('/v1/private/consent-events')).json.data, [event]);
  assert.deepEqual((await viewer.get(`/v1/private/consent-events/${event.id}`)).json, event);
  assert.equal((await viewer.post(`/v1/private/consent-events/${event.id}/expire`)).status, 403);
});
