import type { Database, Queryable } from '../../base/db/database.ts';

const guarded = {
  consent_events: 'consent_events_stay',
  consent_rules: 'consent_rules_stay',
  consent_event_outcomes: 'consent_event_outcomes_stay',
  consent_receipts: 'consent_receipts_stay',
  consent_term_versions: 'consent_term_versions_stay',
};

/** What an administrator of the database could do: silence the triggers and change rows. */
export async function tamper(db: Database, work: (tx: Queryable) => Promise<unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`set local session_replication_role = 'replica'`);
    for (const [table, trigger] of Object.entries(guarded)) {
      await tx.query(`alter table ${table} disable trigger ${trigger}`);
    }
    await work(tx);
    for (const [table, trigger] of Object.entries(guarded)) {
      await tx.query(`alter table ${table} enable always trigger ${trigger}`);
    }
  });
}
