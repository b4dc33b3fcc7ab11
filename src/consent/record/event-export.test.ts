import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { signIn } from '../../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import type { NewConsentRule } from './event-schemas.ts';

const clock = createMovableClock('2026-06-01T02:30:00.250Z');
let service: TestService;
let account: ConsentAccount;
let event_id: number;
before(async () => {
  service = await startTestService({ clock, roles: 'api' });
  account = await openConsentAccount(service);
  const { marketing, newsletter, post } = account;
  const rule = { contact_type: 'uniquecode', contact: 'A-1' } as const;
  const rules: NewConsentRule[] = [
    { ...rule, channel: 'mail', purpose_id: marketing, action: 'allow' },
    { ...rule, channel: 'sms', purpose_id: marketing, action: 'deny' },
    { ...rule, channel: 'mail', purpose_id: newsletter, action: 'deny' },
  ];
  event_id = (await post({ rules })).json.id;
});
after(async () => await service.stop());

interface Row {
  consent_event_id: number;
  channel: string;
  purpose_id: number;
  action: string;
  contact: string;
  created_at: string;
}

async function rows(query: string, { api } = account): Promise<Row[]> {
  const { status, json, text } = await api.get(`/v1/consent-events/export?format=json&${query}`);
  assert.equal(status, 200, text);
  return json.data;
}

test('the export has one row per rule, with the members of the event in each', async () => {
  const { first, marketing } = account;
  const found = await rows('');
  assert.equal(found.length, 3);
  const [term] = await service.db.query<{ name: string }>('select name from consent_terms where id = $1', [
    first.id,
  ]);
  const at = '2026-06-01T02:30:00.25Z';
  assert.deepEqual(found[0], {
    consent_event_id: event_id,
    term_id: first.id,
    term_version_id: first.version_id,
    event_status: 'confirmed',
    method: 'single_opt_in',
    source: 'api',
    channel: 'mail',
    contact_type: 'uniquecode',
    contact: 'A-1',
    purpose_id: marketing,
    action: 'allow',
    created_at: at,
    confirmed_at: at,
    expired_at: null,
    term_name: term?.name,
    term_version: '1.0',
    purpose_code: 'marketing',
    purpose_name: 'Marketing',
  });
});

test('channel, purpose and action together mean one single rule that is all three', async () => {
  const { marketing, newsletter } = account;
  const found = async (query: string): Promise<string[]> =>
    (await rows(query)).map(({ channel, purpose_id, action }) =>
      [channel, purpose_id === marketing ? 'marketing' : 'newsletter', action].join(' '),
    );
  assert.deepEqual(await found(`channel=mail&purpose_id=${marketing}&action=allow`), [
    'mail marketing allow',
  ]);
  // The event has each of these, but not in one rule.
  assert.deepEqual(await found(`channel=sms&purpose_id=${newsletter}&action=deny`), []);
  assert.deepEqual(await found(`channel=mail&purpose_id=${marketing}&action=deny`), []);
  assert.deepEqual(await found('channel=mail'), ['mail marketing allow', 'mail newsletter deny']);
  assert.deepEqual(await found('action=deny'), ['sms marketing deny', 'mail newsletter deny']);
  assert.deepEqual(await found('status=pending'), []);
  assert.deepEqual(await found(`term_id=${account.first.id}&contact=A-1&action=allow`), [
    'mail marketing allow',
  ]);
  assert.deepEqual(await found('contact=a-1'), []);
});

test('a CSV begins with a byte order mark and has dates in the zone asked for, else in UTC', async () => {
  const file = async (query: string): Promise<string> => {
    const { api_key, instance } = account;
    const response = await fetch(`${service.base_url}/v1/consent-events/export?${query}`, {
      headers: { authorization: `Bearer ${api_key}`, 'x-instance-slug': instance.slug },
    });
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(response.headers.get('content-disposition') ?? '', /filename="consent-events-.*\.csv"/);
    return Buffer.from(await response.arrayBuffer()).toString();
  };
  const utc = await file('action=allow');
  assert.ok(utc.startsWith('\u{feff}"consent_event_id","term_id","term_version_id","event_status",'));
  assert.match(
    utc,
    /"2026-06-01T02:30:00\.25Z","2026-06-01T02:30:00\.25Z",,"Term \d+","1\.0","marketing","Marketing"\r\n$/,
  );
  assert.match(await file('action=allow&tz=America/Santiago'), /"2026-05-31T22:30:00\.25-04:00"/);
});

test('the range is of local days of the recording, and the whole history by default', async () => {
  const own = await openConsentAccount(service);
  clock.set('2020-01-01T12:00:00.000Z');
  await own.recordAllow('old@example.com');
  clock.set('2026-06-01T02:30:00.250Z');
  await own.recordAllow('new@example.com');
  const found = async (query: string): Promise<string[]> =>
    (await rows(query, own)).map(({ contact }) => contact.split('@')[0] ?? '');
  assert.deepEqual(await found(''), ['new', 'old']);
  assert.deepEqual(await found('end_date=2026-05-31'), ['old']);
  assert.deepEqual(await found('end_date=2026-05-31&tz=America/Santiago'), ['new', 'old']);
  assert.deepEqual(await found('start_date=2026-06-01'), ['new']);
  assert.deepEqual(await found('start_date=2026-06-01&tz=America/Santiago&end_date=2026-06-02'), []);
  const refused = await own.api.get('/v1/consent-events/export?start_date=2026-02-30');
  assert.deepEqual([refused.status, refused.json.code], [400, 'bad_request']);
});

test('the days of the filters are UTC without tz, as those of the file, whatever the zone of the instance', async () => {
  const own = await openConsentAccount(service);
  await service.db.query(`update instances set timezone = 'America/Santiago' where id = $1`, [
    own.instance.id,
  ]);
  await own.recordAllow('ana@example.com');
  const dates = async (query: string): Promise<string[]> =>
    (await rows(query, own)).map(({ created_at }) => created_at);
  assert.deepEqual(await dates('start_date=2026-06-01&end_date=2026-06-01'), ['2026-06-01T02:30:00.25Z']);
  assert.deepEqual(await dates('end_date=2026-05-31'), []);
  assert.deepEqual(await dates('end_date=2026-05-31&tz=America/Santiago'), ['2026-05-31T22:30:00.25-04:00']);
  assert.deepEqual(await dates('start_date=2999-01-01'), []);
});

test('each export is noted with who asked and for what', async () => {
  const own = await openConsentAccount(service);
  await rows('action=deny&contact=ana%40example.com', own);
  const viewer = await signIn(service, own, 'viewer');
  assert.equal((await viewer.get('/v1/private/consent-events/export?format=json')).status, 200);
  const notes = await service.db.query<{ actor_kind: string; details: unknown }>(
    `select actor_kind, details from audit_events where instance_id = $1 and action = 'consent_events.exported'
     order by id`,
    [own.instance.id],
  );
  assert.deepEqual(notes, [
    {
      actor_kind: 'api_key',
      details: { format: 'json', filters: { action: 'deny', contact: 'ana@example.com' } },
    },
    { actor_kind: 'user', details: { format: 'json', filters: {} } },
  ]);
});
