import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import { recordConsentEvent } from '../record/record-event.ts';
import { expireConsentEvents } from '../record/settle-event.ts';

let service: TestService;
let account: ConsentAccount;
before(async () => {
  service = await startTestService();
  account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  await service.db.transaction(async (tx) => {
    const { id } = await recordConsentEvent(tx, account.instance.id, {
      term_id: account.first.id,
      term_version_id: account.first.version_id,
      status: 'pending',
      method: 'double_opt_in',
      source: 'form',
      evidence: {},
      at: new Date(),
      rules: [
        {
          channel: 'mail',
          contact_type: 'email_address',
          contact: 'ana@example.com',
          purpose_id: account.marketing,
          action: 'allow',
        },
      ],
    });
    await expireConsentEvents(tx, account.instance.id, { ids: [id], at: new Date() });
  });
});
after(async () => await service.stop());

const changes: Record<string, string> = {
  consent_events: 'created_at = now()',
  consent_rules: `action = 'deny'`,
  consent_event_outcomes: `status = 'confirmed'`,
};
for (const [table, change] of Object.entries(changes)) {
  test(`the database itself refuses to change, delete or empty ${table}, its owner included`, async () => {
    const [owner] = await service.db.query<{ is_owner: boolean }>(
      `select pg_has_role(relowner, 'member') as is_owner from pg_class where relname = $1`,
      [table],
    );
    assert.equal(owner?.is_owner, true, 'or the test shows nothing');
    const rows = await service.db.query(`select * from ${table}`);
    assert.ok(rows.length > 0);
    for (const sql of [
      `update ${table} set ${change}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      await assert.rejects(service.db.query(sql), /is evidence/, sql);
      const asReplica = service.db.transaction(async (tx) => {
        await tx.query(`set local session_replication_role = 'replica'`);
        await tx.query(sql);
      });
      await assert.rejects(asReplica, /is evidence/, `${sql} as a replica`);
    }
    assert.deepEqual(await service.db.query(`select * from ${table}`), rows);
  });
}

test('an instance or a version with evidence cannot be deleted', async () => {
  const { instance, first } = account;
  await assert.rejects(service.db.query('delete from instances where id = $1', [instance.id]));
  await assert.rejects(
    service.db.query('delete from consent_term_versions where id = $1', [first.version_id]),
  );
});
