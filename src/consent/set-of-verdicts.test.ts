import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { openConsentAccount } from './consent-account.fixture.ts';
import { recordConsentEvent } from './record/record-event.ts';
import { confirmConsentEvent, expireConsentEvent } from './record/settle-event.ts';
import { standingVerdicts } from './standing-verdicts.ts';
import { createConsentLookup } from './verdict.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

/** Numbers in [0, 1) that a seed determines: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const people = Array.from({ length: 25 }, (_, index) => `person${index}@example.com`);

for (const seed of [7, 2026]) {
  test(`the verdicts of a purpose are those of each person, over a random history (seed ${seed})`, async () => {
    const account = await openConsentAccount(service);
    const { instance, marketing, newsletter } = account;
    const terms = [account.first, await account.term(), await account.term()];
    const random = randomFrom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const pending: number[] = [];
    for (let step = 0; step < 150; step += 1) {
      const term = pick(terms);
      const status = random() < 0.6 ? 'confirmed' : 'pending';
      const at = new Date();
      await service.db.transaction(async (tx) => {
        const { id } = await recordConsentEvent(tx, instance.id, {
          term_id: term.id,
          term_version_id: term.version_id,
          status,
          method: 'double_opt_in',
          source: 'form',
          evidence: {},
          at,
          rules: [
            {
              channel: pick(['mail', 'mail', 'push'] as const),
              contact_type: pick(['email_address', 'email_address', 'uniquecode'] as const),
              contact: pick(people),
              purpose_id: pick([marketing, newsletter]),
              action: pick(['allow', 'allow', 'deny'] as const),
            },
          ],
        });
        if (status === 'pending') pending.push(id);
      });
      const waiting = pending.length > 0 && random() < 0.3 ? pending.shift() : undefined;
      if (waiting === undefined) continue;
      const settle = random() < 0.7 ? confirmConsentEvent : expireConsentEvent;
      await service.db.transaction(
        async (tx) => await settle(tx, instance.id, { id: waiting, evidence: {}, at }),
      );
    }
    const [sealed] = await service.db.query<{ event_id: number }>(
      'select event_id from consent_rules where instance_id = $1 order by id desc limit 1',
      [instance.id],
    );
    await service.db.query(
      'insert into consent_seals (event_id, instance_id, request_id, sealed_at) values ($1, $2, 1, now())',
      [sealed?.event_id, instance.id],
    );
    const lookUp = createConsentLookup(service.db);
    const seen = new Set<string>();
    for (const purpose_id of [marketing, newsletter]) {
      const contacts = people.map((contact) => ({ contact_type: 'email_address' as const, contact }));
      const single = await lookUp({ instance_id: instance.id, channel: 'mail', purpose_id, contacts });
      const set = await service.db.query<{ contact: string; is_denied: boolean; rule_id: number }>(
        standingVerdicts('$1', '$2'),
        [instance.id, purpose_id],
      );
      const found = new Map(set.map((row) => [row.contact, row]));
      for (const [index, contact] of people.entries()) {
        const { verdict = 'none', rule_id } = single[index] ?? {};
        const row = found.get(contact);
        assert.equal(row ? (row.is_denied ? 'deny' : 'allow') : 'none', verdict, contact);
        if (verdict === 'allow') assert.equal(row?.rule_id, rule_id, contact);
        seen.add(verdict);
      }
    }
    assert.deepEqual([...seen].toSorted(), ['allow', 'deny', 'none']);
  });
}
