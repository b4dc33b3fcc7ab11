import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { openConsentAccount, type ConsentAccount } from './consent-account.fixture.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

const query = (pairs: [string, string][], more: Record<string, string | number>): string =>
  new URLSearchParams([
    ...pairs.flatMap(([contact_type, contact]): [string, string][] => [
      ['contact', contact],
      ['contact_type', contact_type],
    ]),
    ...Object.entries(more).map(([name, value]): [string, string] => [name, String(value)]),
  ]).toString();

/** The verdict over all and of each, for a holder of these identifiers. */
async function verdicts(
  { api, marketing }: ConsentAccount,
  pairs: [string, string][],
  more: Record<string, string | number> = {},
): Promise<string> {
  const text = query(pairs, { purpose_id: marketing, ...more });
  const { status, json, text: answer } = await api.get(`/v1/consent-rules/resolve?${text}`);
  assert.equal(status, 200, answer);
  const each = json.results.map(({ verdict }: { verdict: string }) => verdict);
  return `${json.verdict}: ${each.join()}`;
}

const ana: [string, string] = ['email_address', 'ana@example.com'];
const code: [string, string] = ['uniquecode', 'A-1'];

test('without any rule: none', async () => {
  const account = await openConsentAccount(service);
  assert.equal(await verdicts(account, [ana, code]), 'none: none,none');
});

test('the newest rule of a term decides, and the verdict names it', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  assert.equal(await verdicts(account, [ana]), 'allow: allow');
  await account.recordDeny('ana@example.com');
  assert.equal(await verdicts(account, [ana]), 'deny: deny');
  const { id, term_id, created_at, rules } = await account.recordAllow('ana@example.com');
  const asked = query([['email_address', ' ANA@example.com']], { purpose_id: account.marketing });
  const { json } = await account.api.get(`/v1/consent-rules/resolve?${asked}`);
  assert.deepEqual(json, {
    verdict: 'allow',
    channel: 'mail',
    purpose_id: account.marketing,
    results: [
      {
        contact: ' ANA@example.com',
        contact_type: 'email_address',
        verdict: 'allow',
        is_applied_by_sends: true,
        rule_id: rules[0]?.id,
        consent_event_id: id,
        term_id,
        decided_at: created_at,
      },
    ],
  });
});

test('a refusal under one term outweighs a newer consent under another', async () => {
  const account = await openConsentAccount(service);
  const other = await account.term();
  await account.recordDeny('ana@example.com', { term_id: other.id });
  await account.recordAllow('ana@example.com');
  assert.equal(await verdicts(account, [ana]), 'deny: deny');
  await account.recordAllow('ana@example.com', { term_id: other.id });
  assert.equal(await verdicts(account, [ana]), 'allow: allow');
});

test('a refusal by one identifier of the holder outweighs the consent of another', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  assert.equal(await verdicts(account, [ana, code]), 'allow: allow,none');
  await account.recordDeny('A-1', { contact_type: 'uniquecode' });
  assert.equal(await verdicts(account, [ana, code]), 'deny: allow,deny');
  assert.equal(await verdicts(account, [ana, ['uniquecode', 'a-1']]), 'allow: allow,none');
});

test('a consent of a code over mail says that no send looks it up', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('A-1', { contact_type: 'uniquecode' });
  const ask = async (channel: string, contact_type: string, contact: string) => {
    const asked = { contact, contact_type, channel, purpose_id: String(account.marketing) };
    const { json } = await account.api.get(
      `/v1/consent-rules/resolve?${new URLSearchParams(asked).toString()}`,
    );
    return [json.verdict, json.results[0].is_applied_by_sends];
  };
  assert.deepEqual(await ask('mail', 'uniquecode', 'A-1'), ['allow', false]);
  assert.deepEqual(await ask('mail', 'email_address', 'ana@example.com'), ['none', true]);
  assert.deepEqual(await ask('sms', 'phone_number', '+56912345678'), ['none', false]);
});

test('channels, purposes and instances are apart', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('A-1', { channel: 'push', contact_type: 'uniquecode' });
  assert.equal(await verdicts(account, [code]), 'none: none');
  assert.equal(await verdicts(account, [code], { channel: 'push' }), 'allow: allow');
  const other = { channel: 'push', purpose_id: account.newsletter };
  assert.equal(await verdicts(account, [code], other), 'none: none');
  const stranger = await openConsentAccount(service);
  assert.equal(await verdicts(stranger, [code], { channel: 'push' }), 'none: none');
});

test('an agreement stands when its term is deactivated or its purpose disabled', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  await service.db.query('update consent_terms set is_active = false where id = $1', [account.first.id]);
  await service.db.query('update consent_purposes set is_enabled = false where id = $1', [account.marketing]);
  assert.equal(await verdicts(account, [ana]), 'allow: allow');
});

test('lists of different length are 409, what is missing or wrong is 422', async () => {
  const account = await openConsentAccount(service);
  const ask = async (text: string) => (await account.api.get(`/v1/consent-rules/resolve?${text}`)).json;
  const two = `contact=a&contact=b&contact_type=uniquecode&purpose_id=${account.marketing}`;
  assert.equal((await ask(two)).code, 'consent_contact_pairs_mismatch');
  const found = async (text: string): Promise<unknown> =>
    (await ask(text)).errors.map(({ pointer, code: problem }: Record<string, string>) => [pointer, problem]);
  assert.deepEqual(await found(''), [
    ['/contact', 'missing'],
    ['/contact_type', 'missing'],
    ['/purpose_id', 'missing'],
  ]);
  assert.deepEqual(await found('contact=a&contact=&contact_type=email&purpose_id=x&channel=fax'), [
    ['/purpose_id', 'int_parsing'],
    ['/contact/1', 'string_too_short'],
    ['/contact_type/0', 'enum'],
    ['/channel', 'enum'],
  ]);
});

test('fifty identifiers are resolved, fifty-one are not', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('C50', { contact_type: 'uniquecode' });
  const pairs = Array.from({ length: 50 }, (_, n): [string, string] => ['uniquecode', `C${n + 1}`]);
  assert.match(await verdicts(account, pairs), /^allow: none,.*,none,allow$/);
  const many = query([...pairs, code], { purpose_id: account.marketing });
  assert.equal((await account.api.get(`/v1/consent-rules/resolve?${many}`)).status, 422);
});

test('people in the panel ask the same', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  const viewer = await signIn(service, account, 'viewer');
  const text = query([ana], { purpose_id: account.marketing });
  assert.equal((await viewer.get(`/v1/private/consent-rules/resolve?${text}`)).json.verdict, 'allow');
});

test('a purpose that the instance does not have is not found, also when another instance has it', async () => {
  const account = await openConsentAccount(service);
  const other = await openConsentAccount(service);
  for (const purpose_id of [other.marketing, 999_999_999]) {
    const { status, json } = await account.api.get(
      `/v1/consent-rules/resolve?${query([ana], { purpose_id })}`,
    );
    assert.deepEqual([status, json.code], [404, 'consent_purpose_not_found']);
  }
  const [disabled] = await service.db.query<{ id: number }>(
    `update consent_purposes set is_enabled = false where id = $1 returning id`,
    [account.marketing],
  );
  const known = await account.api.get(
    `/v1/consent-rules/resolve?${query([ana], { purpose_id: disabled?.id ?? 0 })}`,
  );
  assert.equal(known.status, 200, 'consents for a disabled purpose still stand');
});
