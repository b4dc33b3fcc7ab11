import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import { denyPurposes } from './deny-purposes.ts';
import type { ConsentEvent } from './event-schemas.ts';
import { restoreAfterResubscribe, withdrawForUnsubscribe } from './withdraw-consent.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

const at = new Date('2026-06-01T12:00:00.000Z');

async function turn(
  change: typeof withdrawForUnsubscribe,
  { instance, marketing }: ConsentAccount,
  contact: string,
): Promise<ConsentEvent[]> {
  const who = { instance_id: instance.id, contact, purpose_id: marketing, at };
  return await service.db.transaction(async (tx) => await change(tx, who));
}
const withdraw = async (account: ConsentAccount, contact: string) =>
  await turn(withdrawForUnsubscribe, account, contact);
const restore = async (account: ConsentAccount, contact: string) =>
  await turn(restoreAfterResubscribe, account, contact);

const summaries = (events: ConsentEvent[]): unknown[] =>
  events.map(({ term_id, term_version_id, source, status, method, rules }) => [
    term_id,
    term_version_id,
    `${source} ${status} ${method}`,
    rules.map(({ contact, channel, action }) => `${channel} ${contact} ${action}`).join(),
  ]);

test('unsubscribing withdraws under every term that allowed it, with the version that was accepted', async () => {
  const account = await openConsentAccount(service);
  const [second, refused, never] = [await account.term(), await account.term(), await account.term()];
  await account.recordAllow('Ana@Example.com');
  await account.recordAllow('ana@example.com', { term_id: second.id });
  await account.recordDeny('ana@example.com', { term_id: refused.id });
  await account.recordAllow('eva@example.com', { term_id: never.id });
  await service.db.query(
    `with old as (update consent_term_versions set is_current = false where id = $1)
     insert into consent_term_versions (term_id, version, body, published_at) values ($2, '2', 'Other text', now())`,
    [second.version_id, second.id],
  );
  const fixed = 'system confirmed single_opt_in';
  assert.deepEqual(summaries(await withdraw(account, ' ANA@example.com')), [
    [account.first.id, account.first.version_id, fixed, 'mail ana@example.com deny'],
    [second.id, second.version_id, fixed, 'mail ana@example.com deny'],
  ]);
  assert.deepEqual(await withdraw(account, 'ana@example.com'), [], 'a second time there is nothing left');
  assert.deepEqual(summaries(await restore(account, 'ana@example.com')), [
    [account.first.id, account.first.version_id, fixed, 'mail ana@example.com allow'],
    [second.id, second.version_id, fixed, 'mail ana@example.com allow'],
  ]);
  assert.deepEqual(await restore(account, 'ana@example.com'), []);
});

test('does not change denials of another kind, purpose or channel', async () => {
  const account = await openConsentAccount(service);
  const { newsletter } = account;
  await account.recordAllow('ana@example.com', { purpose_id: newsletter });
  await account.recordAllow('ana@example.com', { contact_type: 'uniquecode' });
  await account.recordAllow('ana@example.com', { channel: 'push', contact_type: 'uniquecode' });
  assert.deepEqual(await withdraw(account, 'ana@example.com'), []);
  await account.recordDeny('eva@example.com');
  assert.deepEqual(await restore(account, 'eva@example.com'), []);
  const other = await openConsentAccount(service);
  assert.deepEqual(await withdraw(other, 'ana@example.com'), []);
});

test('coming back does not undo an opposition, whether it was before or after the unsubscribe', async () => {
  const account = await openConsentAccount(service);
  const { instance, marketing } = account;
  const oppose = async (contact: string): Promise<void> => {
    const opposition = {
      contacts: [{ contact_type: 'email_address' as const, contact }],
      purpose_ids: [marketing],
      evidence: { actor: 'user:1', reason: 'rights_request:1' },
      at,
    };
    await service.db.transaction(async (tx) => await denyPurposes(tx, instance.id, opposition));
  };
  await oppose('ana@example.com');
  assert.deepEqual(await withdraw(account, 'ana@example.com'), []);
  assert.deepEqual(await restore(account, 'ana@example.com'), [], 'no consent out of nothing');
  await account.recordAllow('eva@example.com');
  assert.equal((await withdraw(account, 'eva@example.com')).length, 1);
  await oppose('eva@example.com');
  assert.deepEqual(await restore(account, 'eva@example.com'), []);
});

test('an opposition to every purpose is to those of the instance', async () => {
  const [account, other] = [await openConsentAccount(service), await openConsentAccount(service)];
  const contacts = [{ contact_type: 'email_address' as const, contact: 'ana@example.com' }];
  const opposition = { contacts, purpose_ids: [], evidence: { actor: 'user:1' }, at };
  await service.db.transaction(async (tx) => await denyPurposes(tx, account.instance.id, opposition));
  const denied = await service.db.query(
    `select distinct instance_id, purpose_id from consent_rules
     where contact = 'ana@example.com' and instance_id = any ($1) and created_at = $2 order by purpose_id`,
    [[account.instance.id, other.instance.id], at],
  );
  const instance_id = account.instance.id;
  assert.deepEqual(
    denied,
    [account.marketing, account.newsletter].map((purpose_id) => ({ instance_id, purpose_id })),
  );
});

test('two clicks at the same moment withdraw once', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  const events = await Promise.all([1, 2, 3].map(async () => await withdraw(account, 'ana@example.com')));
  assert.equal(events.flat().length, 1);
});

test('a click during another one finds that nothing is left, once it is committed', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  const who = {
    instance_id: account.instance.id,
    contact: 'ana@example.com',
    purpose_id: account.marketing,
    at,
  };
  const waiting = async () =>
    await service.db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  const { first, second } = await service.db.transaction(async (tx) => {
    const withdrawn = await withdrawForUnsubscribe(tx, who);
    const other = withdraw(account, 'ana@example.com');
    await waitFor(async () => (await waiting()).length > 0, { what: 'the second click waits' });
    return { first: withdrawn, second: other };
  });
  assert.deepEqual([first.length, await second], [1, []]);
});
