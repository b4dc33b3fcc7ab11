import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import type { Queryable } from '../../base/db/database.ts';
import { linkAfter, chainStart } from './chain.ts';
import { readChain } from './chain-rows.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import { eventContent, outcomeContent } from '../record/event-content.ts';
import { recordConsentEvent, type NewConsent } from '../record/record-event.ts';
import { confirmConsentEvent, expireConsentEvents } from '../record/settle-event.ts';
import { tamper as tamperWith } from './tamper.fixture.ts';
import { verifyChain } from './verify-chain.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

const at = new Date('2026-06-01T12:00:00.123Z');

const given = ({ first, marketing }: ConsentAccount, status: NewConsent['status']): NewConsent => ({
  term_id: first.id,
  term_version_id: first.version_id,
  status,
  method: 'double_opt_in',
  source: 'form',
  evidence: { address: '192.0.2.1', user_agent: 'Mozilla/5.0 “ñ” 🙂', submission_id: '12' },
  at,
  rules: [
    {
      channel: 'mail',
      contact_type: 'email_address',
      contact: 'ana@example.com',
      purpose_id: marketing,
      action: 'allow',
    },
  ],
});

/** A chain of seven rows: confirmed, pending, pending, confirmed later, expired later, and two from the API. */
async function openChain(): Promise<ConsentAccount & { ids: number[] }> {
  const account = await openConsentAccount(service);
  const { instance } = account;
  const ids = await service.db.transaction(async (tx) => {
    const events = [];
    for (const status of ['confirmed', 'pending', 'pending'] as const) {
      events.push((await recordConsentEvent(tx, instance.id, given(account, status))).id);
    }
    const [, second = 0, third = 0] = events;
    await confirmConsentEvent(tx, instance.id, { id: second, evidence: { address: '192.0.2.2' }, at });
    await expireConsentEvents(tx, instance.id, { ids: [third], at });
    return events;
  });
  const last = [await account.recordAllow('eva@example.com'), await account.recordDeny('eva@example.com')];
  return { ...account, ids: [...ids, ...last.map(({ id }) => id)] };
}

const tamper = async (work: (tx: Queryable) => Promise<unknown>): Promise<void> =>
  await tamperWith(service.db, work);

/** `altered at 3 (event 1)`, where events are counted from 1; `intact` when nothing is found. */
async function found({ instance, ids }: { instance: { id: number }; ids: number[] }): Promise<string> {
  const { is_intact, first_break: broken } = await verifyChain(service.db, instance.id);
  assert.equal(is_intact, broken === null);
  if (!broken) return 'intact';
  const about =
    broken.consent_event_id === null ? '' : ` (event ${ids.indexOf(broken.consent_event_id) + 1})`;
  return `${broken.problem} at ${broken.sequence}${about}`;
}

test('settling events of one instance does not change events and chain of another', async () => {
  const [other, chain] = [await openChain(), await openChain()];
  const settled = await service.db.transaction(async (tx) => {
    const pending = [other, chain].map(
      async (account) => await recordConsentEvent(tx, account.instance.id, given(account, 'pending')),
    );
    const ids = (await Promise.all(pending)).map(({ id }) => id);
    const expired = await expireConsentEvents(tx, chain.instance.id, { ids, at });
    return expired.map((id) => ids.indexOf(id));
  });
  assert.deepEqual(settled, [1]);
  assert.deepEqual([await found(other), await found(chain)], ['intact', 'intact']);
});

test('an untouched chain is intact, and so is that of an instance without any consent', async () => {
  const chain = await openChain();
  const check = await verifyChain(service.db, chain.instance.id);
  assert.deepEqual(
    { ...check, hash: check.hash.length },
    { is_intact: true, is_complete: true, checked: 7, sequence: 7, hash: 64, first_break: null },
  );
  const nobody = await service.tenant();
  assert.deepEqual((await verifyChain(service.db, nobody.instance.id)).checked, 0);
});

const alterations: [string, string, string][] = [
  ['the moment of an event', `update consent_events set created_at = created_at + interval '1 ms'`, 'event'],
  ['how it was obtained', `update consent_events set method = 'single_opt_in'`, 'event'],
  ['where it came from', `update consent_events set source = 'import'`, 'event'],
  ['its status', `update consent_events set status = 'pending'`, 'event'],
  ['its evidence', `update consent_events set evidence = evidence || '{"address": "192.0.2.9"}'`, 'event'],
  ['its hash', `update consent_events set hash = sha256('x')`, 'event'],
  ['the text that was agreed to', `update consent_events set text_hash = sha256('x')`, 'event'],
  ['the action of a rule', `update consent_rules set action = 'deny'`, 'rule'],
  ['its contact', `update consent_rules set contact = 'eva@example.com'`, 'rule'],
  ['its channel', `update consent_rules set channel = 'push'`, 'rule'],
  ['its moment', `update consent_rules set created_at = created_at + interval '1 ms'`, 'rule'],
  ['what it repeats of its event', `update consent_rules set is_confirmed = not is_confirmed`, 'rule'],
  ['its instance', `update consent_rules set instance_id = instance_id + 1`, 'rule'],
  ['that it is there', 'delete from consent_rules', 'rule'],
];
for (const [title, sql, what] of alterations) {
  test(`an altered row is found: ${title}`, async () => {
    const chain = await openChain();
    const key = what === 'event' ? 'id' : 'event_id';
    await tamper(async (tx) => await tx.query(`${sql} where ${key} = $1`, [chain.ids[0]]));
    assert.equal(await found(chain), 'altered at 1 (event 1)');
  });
}

test('a rule put into an event is found', async () => {
  const chain = await openChain();
  await tamper(
    async (tx) =>
      await tx.query(
        `insert into consent_rules (event_id, instance_id, term_id, is_confirmed, channel, contact_type, contact,
           purpose_id, action, created_at)
         select event_id, instance_id, term_id, true, 'push', 'uniquecode', 'x', purpose_id, 'allow', created_at
         from consent_rules where event_id = $1`,
        [chain.ids[3]],
      ),
  );
  assert.equal(await found(chain), 'altered at 6 (event 4)');
});

test('the outcome of a pending event cannot be rewritten or moved to another event', async () => {
  for (const sql of [
    `update consent_event_outcomes set status = 'expired' where event_id = $1`,
    `update consent_event_outcomes set at = at - interval '1 day' where event_id = $1`,
  ]) {
    const chain = await openChain();
    await tamper(async (tx) => await tx.query(sql, [chain.ids[1]]));
    assert.equal(await found(chain), 'altered at 4 (event 2)');
  }
});

test('a row taken out is missed, in the middle and at the end', async () => {
  const remove = async (tx: Queryable, id = 0): Promise<void> => {
    await tx.query('delete from consent_rules where event_id = $1', [id]);
    await tx.query('delete from consent_events where id = $1', [id]);
  };
  const middle = await openChain();
  await tamper(async (tx) => await remove(tx, middle.ids[0]));
  assert.equal(await found(middle), 'missing at 1');
  const end = await openChain();
  await tamper(async (tx) => await remove(tx, end.ids.at(-1)));
  assert.equal(await found(end), 'missing at 7');
  const outcome = await openChain();
  await tamper(
    async (tx) => await tx.query('delete from consent_event_outcomes where event_id = $1', [outcome.ids[1]]),
  );
  assert.equal(await found(outcome), 'missing at 4');
});

test('rows that changed places are found', async () => {
  const chain = await openChain();
  await tamper(async (tx) => {
    const set = 'update consent_events set sequence = $2 where id = $1';
    const [first, , third] = chain.ids;
    await tx.query(set, [first, 99]);
    await tx.query(set, [third, 1]);
    await tx.query(set, [first, 3]);
  });
  assert.equal(await found(chain), 'unlinked at 1 (event 3)');
});

const copyOf = (sequence: number): string => `
  insert into consent_events (instance_id, term_id, term_version_id, text_hash, status, method, source, evidence,
    created_at, sequence, previous_hash, hash)
  select instance_id, term_id, term_version_id, text_hash, status, method, source, evidence, created_at, ${sequence},
    previous_hash, hash from consent_events where id = $1 returning id`;

test('a row put in is found: after the end, beyond it, and in the place of an outcome', async () => {
  for (const [sequence, expected] of [
    [8, /^inserted at 8/],
    [12, /^inserted at 12/],
    [4, /^(inserted|unlinked) at 4/],
  ] as const) {
    const chain = await openChain();
    await tamper(async (tx) => await tx.query(copyOf(sequence), [chain.ids[0]]));
    assert.match(await found(chain), expected);
  }
});

test('a row put in with good hashes is found, since the chain ends before it', async () => {
  const chain = await openChain();
  const { id } = chain.instance;
  await tamper(async (tx) => {
    const [end] = await tx.query<{ sequence: number; hash: Buffer }>(
      'select sequence, hash from consent_chains where instance_id = $1',
      [id],
    );
    await recordConsentEvent(tx, id, given(chain, 'confirmed'));
    await tx.query('update consent_chains set sequence = $2, hash = $3 where instance_id = $1', [
      id,
      end?.sequence,
      end?.hash,
    ]);
  });
  assert.match(await found(chain), /^inserted at 8/);
});

test('an altered text of a version is found where it was agreed to', async () => {
  const chain = await openChain();
  await tamper(
    async (tx) =>
      await tx.query(`update consent_term_versions set body = body || ' And more.' where id = $1`, [
        chain.first.version_id,
      ]),
  );
  assert.equal(await found(chain), 'text_altered at 1 (event 1)');
});

/** Rewrites a row and every hash after it, as one who can write everything and knows how. */
async function rewrite(
  { instance, ids }: { instance: { id: number }; ids: number[] },
  all: boolean,
): Promise<void> {
  await tamper(async (tx) => {
    await tx.query(`update consent_rules set action = 'deny' where event_id = $1`, [ids[0]]);
    let end = chainStart;
    for (const row of await readChain(tx, instance.id, { after: 0, until: 1_000 })) {
      assert.ok(row.kind !== 'receipt');
      end = linkAfter(end, row.kind === 'event' ? eventContent(row) : outcomeContent(row));
      const table = row.kind === 'event' ? 'consent_events' : 'consent_event_outcomes';
      await tx.query(
        `update ${table} set previous_hash = $3, hash = $4 where instance_id = $1 and sequence = $2`,
        [instance.id, end.sequence, (end as ReturnType<typeof linkAfter>).previous_hash, end.hash],
      );
      if (!all) return;
    }
    await tx.query('update consent_chains set hash = $2 where instance_id = $1', [instance.id, end.hash]);
  });
}

test('a row rewritten with its hash no longer fits to the next one', async () => {
  const chain = await openChain();
  await rewrite(chain, false);
  assert.equal(await found(chain), 'unlinked at 2 (event 2)');
});

test('a chain rewritten as a whole is found by a place noted elsewhere before', async () => {
  const chain = await openChain();
  const { sequence, hash } = await verifyChain(service.db, chain.instance.id);
  const anchor = { sequence, hash: Buffer.from(hash, 'hex') };
  await chain.recordAllow('uma@example.com');
  const check = async (place = anchor) => await verifyChain(service.db, chain.instance.id, { anchor: place });
  assert.equal((await check()).is_intact, true);
  assert.equal((await check({ ...anchor, sequence: 99 })).first_break?.problem, 'missing');
  await rewrite(chain, true);
  assert.equal(await found(chain), 'intact', 'nothing inside the database can tell');
  assert.deepEqual((await check()).first_break, {
    sequence: 7,
    problem: 'altered',
    consent_event_id: chain.ids[4],
  });
});

test('a long chain is walked in pages, and a check whose time is over is continued where it stopped', async () => {
  const account = await openConsentAccount(service);
  const { id } = account.instance;
  await service.db.transaction(async (tx) => {
    for (let number = 0; number < 420; number += 1) {
      const status = number % 3 === 0 ? 'pending' : 'confirmed';
      const event = await recordConsentEvent(tx, id, given(account, status));
      if (number % 9 === 0) await confirmConsentEvent(tx, id, { id: event.id, evidence: {}, at });
    }
  });
  const whole = await verifyChain(service.db, id);
  assert.deepEqual([whole.is_intact, whole.checked], [true, 467]);
  const part = await verifyChain(service.db, id, { within_ms: -1 });
  assert.deepEqual([part.is_intact, part.is_complete, part.checked < 467], [true, false, true]);
  const rest = await verifyChain(service.db, id, { after: part.sequence });
  assert.deepEqual([rest.is_intact, rest.is_complete, rest.checked], [true, true, 467 - part.checked]);
  assert.equal(rest.hash, whole.hash);
});

test('events added at the same moment, and during checks, make one chain', async () => {
  const account = await openConsentAccount(service);
  const { id } = account.instance;
  let isAdding = true;
  let [checks, added] = [0, 0];
  const checking = (async () => {
    for (; isAdding; checks += 1) assert.equal((await verifyChain(service.db, id)).first_break, null);
  })();
  const add = async (): Promise<void> => {
    for (let number = 0; number < 15 || checks < 2; number += 1) {
      added += 2;
      await service.db.transaction(async (tx) => {
        const event = await recordConsentEvent(tx, id, given(account, 'pending'));
        await confirmConsentEvent(tx, id, { id: event.id, evidence: {}, at });
      });
    }
  };
  await Promise.all([add(), add()]);
  isAdding = false;
  await checking;
  const { is_intact, checked } = await verifyChain(service.db, id);
  assert.deepEqual([is_intact, checked], [true, added]);
});
