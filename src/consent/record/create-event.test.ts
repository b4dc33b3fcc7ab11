import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import type { ContactType } from '../../base/contacts.ts';
import type { NewConsentRule } from './event-schemas.ts';
import type { Channel } from '../catalogue/term-schemas.ts';

let service: TestService;
let account: ConsentAccount;
before(async () => {
  service = await startTestService();
  account = await openConsentAccount(service);
});
after(async () => await service.stop());

const rule = (changes: Partial<NewConsentRule> = {}): NewConsentRule => ({
  contact_type: 'email_address',
  contact: 'ana@example.com',
  purpose_id: account.marketing,
  action: 'allow',
  ...changes,
});

/** Status and code of the refusal of some rules under a term. */
async function refusal(term_id: number, rules: NewConsentRule[]): Promise<unknown[]> {
  const { status, json } = await account.post({ term_id, rules });
  return status === 201 ? [201] : [status, json.code];
}

test('a term of another instance, or of none, is not found', async () => {
  const other = await openConsentAccount(service);
  assert.deepEqual(await refusal(other.first.id, [rule()]), [404, 'consent_term_not_found']);
  assert.deepEqual(await refusal(8_888_888_888, [rule()]), [404, 'consent_term_not_found']);
});

test('an inactive term takes no consent, but its withdrawal', async () => {
  const { id } = await account.term({ is_active: false });
  assert.deepEqual(await refusal(id, [rule()]), [409, 'consent_term_inactive']);
  const mixed = [rule({ action: 'deny' }), rule({ purpose_id: account.newsletter })];
  assert.deepEqual(await refusal(id, mixed), [409, 'consent_term_inactive']);
  assert.deepEqual(await refusal(id, [rule({ action: 'deny' })]), [201]);
});

test('a term without a current version cannot be agreed to', async () => {
  const { id } = await account.term({ is_current: false });
  assert.deepEqual(await refusal(id, [rule()]), [409, 'consent_term_no_current_version']);
});

test('the version is the one current at the time of the call, and stays', async () => {
  const { id, version_id } = await account.term();
  const beforeChange = (await account.post({ term_id: id, rules: [rule()] })).json;
  await service.db.transaction(async (tx) => {
    await tx.query('update consent_term_versions set is_current = false where id = $1', [version_id]);
    await tx.query(
      `insert into consent_term_versions (term_id, version, body, is_current, published_at)
       values ($1, '2.0', 'New text', true, now())`,
      [id],
    );
  });
  const afterChange = (await account.post({ term_id: id, rules: [rule()] })).json;
  assert.equal(beforeChange.term_version_id, version_id);
  assert.ok(afterChange.term_version_id > version_id);
  const read = await account.api.get(`/v1/consent-events/${beforeChange.id}`);
  assert.equal(read.json.term_version_id, version_id);
});

const compatible: Record<Channel, ContactType[]> = {
  mail: ['email_address', 'uniquecode'],
  sms: ['phone_number', 'uniquecode'],
  wsp: ['phone_number', 'uniquecode'],
  call: ['phone_number', 'uniquecode'],
  push: ['uniquecode'],
};
const contactOf: Record<ContactType, string> = {
  email_address: 'ana@example.com',
  phone_number: '+56912345678',
  uniquecode: 'A-1',
};
for (const [channel, types] of Object.entries(compatible) as [Channel, ContactType[]][]) {
  test(`${channel} takes only ${types.join(' and ')}`, async () => {
    const { id } = await account.term({ channels: Object.keys(compatible) });
    for (const contact_type of ['email_address', 'phone_number', 'uniquecode'] as const) {
      const expected = types.includes(contact_type) ? [201] : [409, 'consent_contact_type_channel_mismatch'];
      const wanted = rule({ channel, contact_type, contact: contactOf[contact_type] });
      assert.deepEqual(await refusal(id, [wanted]), expected, contact_type);
    }
  });
}

test('a channel that the term does not cover is refused, and mail is the channel when none is named', async () => {
  const mail = await account.term({ channels: ['mail'] });
  const sms = await account.term({ channels: ['sms'] });
  const byPhone = rule({ channel: 'sms', contact_type: 'phone_number', contact: '+56912345678' });
  assert.deepEqual(await refusal(mail.id, [byPhone]), [409, 'consent_channel_not_covered']);
  assert.deepEqual(await refusal(sms.id, [rule()]), [409, 'consent_channel_not_covered']);
  assert.deepEqual(await refusal(sms.id, [byPhone]), [201]);
});

test('two rules for one channel and purpose are rejected, for any contact; two channels or purposes are not', async () => {
  const { first, newsletter } = account;
  const other = rule({ channel: 'mail', contact: 'eva@example.com', action: 'deny' });
  assert.deepEqual(await refusal(first.id, [rule(), other]), [409, 'consent_duplicate_rule']);
  const push = rule({ channel: 'push', contact_type: 'uniquecode' });
  assert.deepEqual(await refusal(first.id, [rule(), rule({ purpose_id: newsletter }), push]), [201]);
});

test('a purpose that the term does not have is 422, before any conflict, and each one is named', async () => {
  const { marketing, newsletter, term, post } = account;
  const { id } = await term({ purposes: [marketing], is_active: false });
  const rules = [rule({ purpose_id: newsletter }), rule(), rule({ channel: 'sms', purpose_id: 7_777_777 })];
  const { status, json } = await post({ term_id: id, rules });
  assert.equal(status, 422);
  assert.deepEqual(
    json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/rules/0/purpose_id', 'value_error.purpose'],
      ['/rules/2/purpose_id', 'value_error.purpose'],
    ],
  );
});

test('a disabled purpose accepts only withdrawals', async () => {
  const own = await openConsentAccount(service);
  await service.db.query('update consent_purposes set is_enabled = false where id = $1', [own.newsletter]);
  const about = { ...rule(), purpose_id: own.newsletter };
  const refused = await own.post({ rules: [about] });
  assert.deepEqual([refused.status, refused.json.errors[0].code], [422, 'value_error.purpose_disabled']);
  assert.equal((await own.post({ rules: [{ ...about, action: 'deny' }] })).status, 201);
});

const refusals: [string, unknown, [string, string][]][] = [
  [
    'an empty body',
    {},
    [
      ['/term_id', 'missing'],
      ['/method', 'missing'],
      ['/rules', 'missing'],
    ],
  ],
  ['no rules', { term_id: 1, method: 'single_opt_in', rules: [] }, [['/rules', 'too_short']]],
  [
    'everything wrong at once',
    {
      term_id: 'x',
      method: 'opt_out',
      rules: [
        { channel: 'fax', contact_type: 'email', contact: '', purpose_id: 0, action: 'maybe' },
        { contact_type: 'uniquecode', contact: 'x'.repeat(255) },
        { contact_type: 'uniquecode', contact: ' \t', purpose_id: 1, action: 'deny' },
      ],
    },
    [
      ['/term_id', 'int_parsing'],
      ['/method', 'enum'],
      ['/rules/0/channel', 'enum'],
      ['/rules/0/contact_type', 'enum'],
      ['/rules/0/contact', 'string_too_short'],
      ['/rules/0/purpose_id', 'greater_than_equal'],
      ['/rules/0/action', 'enum'],
      ['/rules/1/purpose_id', 'missing'],
      ['/rules/1/action', 'missing'],
      ['/rules/1/contact', 'string_too_long'],
      ['/rules/2/contact', 'string_pattern_mismatch'],
    ],
  ],
];
for (const [title, body, expected] of refusals) {
  test(`refused with 422: ${title}`, async () => {
    const { status, json } = await account.api.post('/v1/consent-events', body);
    assert.equal(status, 422);
    assert.deepEqual(
      json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      expected,
    );
  });
}

test('a contact of 254 characters is recorded', async () => {
  const contact = `${'a'.repeat(242)}@example.com`;
  assert.deepEqual(await refusal(account.first.id, [rule({ contact })]), [201]);
  assert.deepEqual(
    await refusal(account.first.id, [rule({ contact_type: 'uniquecode', contact: 'x'.repeat(254) })]),
    [201],
  );
});

test('a contact that cannot be of its type is 422, after every conflict, and each one is named', async () => {
  const { newsletter, post } = account;
  const rules = [
    rule({ contact: 'nobody' }),
    rule({ channel: 'sms', contact_type: 'phone_number', contact: 'call me' }),
    rule({ purpose_id: newsletter, contact: 'Ana <ana@example.com>' }),
    rule({ channel: 'push', contact_type: 'uniquecode', contact: '*' }),
  ];
  const { status, json } = await post({ rules });
  assert.equal(status, 422);
  assert.deepEqual(
    json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/rules/0/contact', 'value_error.email'],
      ['/rules/1/contact', 'value_error.phone'],
      ['/rules/2/contact', 'value_error.email'],
    ],
  );
  const push = rule({ channel: 'push', contact: 'nobody' });
  const refused = await post({ rules: [push] });
  assert.equal(refused.json.code, 'consent_contact_type_channel_mismatch');
});

test('a refused call records nothing', async () => {
  const own = await openConsentAccount(service);
  await own.post({ rules: [{ ...rule(), purpose_id: own.marketing, channel: 'call' }] });
  const { json } = await own.api.get('/v1/consent-events');
  assert.deepEqual(json.data, []);
});
