import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { openConsentAccount, type ConsentAccount } from './consent-account.fixture.ts';
import { canonicalContact, type Contact } from '../base/contacts.ts';
import { recordConsentEvent, type NewConsent } from './record/record-event.ts';
import { confirmConsentEvent, expireConsentEvent } from './record/settle-event.ts';
import { createConsentLookup, overallVerdict, type ConsentQuery, type ConsentVerdict } from './verdict.ts';

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

/** What the model remembers of an event: its rules, and whether it counts. */
interface Remembered {
  id: number;
  term_id: number;
  status: 'confirmed' | 'pending' | 'expired';
  rules: NewConsent['rules'];
}

/** The contract's sentences one by one, over the whole history. */
function modelVerdict(history: Remembered[], contact: Contact, asked: ConsentQuery): ConsentVerdict {
  const standing = new Map<number, ConsentVerdict>();
  for (const { term_id, status, rules } of history) {
    if (status !== 'confirmed') continue;
    for (const rule of rules) {
      const isAbout =
        rule.contact_type === contact.contact_type &&
        canonicalContact(rule) === canonicalContact(contact) &&
        rule.channel === asked.channel &&
        rule.purpose_id === asked.purpose_id;
      if (isAbout) standing.set(term_id, rule.action);
    }
  }
  const said = new Set(standing.values());
  return said.has('deny') ? 'deny' : said.has('allow') ? 'allow' : 'none';
}

const people: Contact[] = [
  { contact_type: 'email_address', contact: 'ana@example.com' },
  { contact_type: 'email_address', contact: ' ANA@Example.com' },
  { contact_type: 'email_address', contact: 'eva@example.com' },
  { contact_type: 'uniquecode', contact: 'A-1' },
  { contact_type: 'uniquecode', contact: 'a-1' },
  { contact_type: 'uniquecode', contact: 'ana@example.com' },
];

class History {
  readonly remembered: Remembered[] = [];
  readonly #account: ConsentAccount;
  readonly #terms: { id: number; version_id: number }[];
  readonly #random: () => number;
  readonly at = new Date('2026-01-01T00:00:00.000Z');

  constructor(account: ConsentAccount, terms: { id: number; version_id: number }[], random: () => number) {
    this.#account = account;
    this.#terms = terms;
    this.#random = random;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  question(): ConsentQuery {
    const { instance, marketing, newsletter } = this.#account;
    return {
      instance_id: instance.id,
      channel: this.pick(['mail', 'push'] as const),
      purpose_id: this.pick([marketing, newsletter]),
      contacts: people,
    };
  }

  async step(): Promise<void> {
    const waiting = this.remembered.filter(({ status }) => status === 'pending');
    if (waiting.length > 0 && this.#random() < 0.3) await this.#settle(this.pick(waiting));
    else await this.#record();
  }

  async #settle(event: Remembered): Promise<void> {
    const isConfirmed = this.#random() < 0.6;
    const settlement = { id: event.id, evidence: {}, at: this.at };
    await service.db.transaction(
      async (tx) =>
        await (isConfirmed ? confirmConsentEvent : expireConsentEvent)(
          tx,
          this.#account.instance.id,
          settlement,
        ),
    );
    event.status = isConfirmed ? 'confirmed' : 'expired';
  }

  async #record(): Promise<void> {
    const { instance, marketing, newsletter } = this.#account;
    const term = this.pick(this.#terms);
    const status = this.#random() < 0.7 ? 'confirmed' : 'pending';
    const pairs = (['mail', 'push'] as const).flatMap((channel) =>
      [marketing, newsletter].map((purpose_id) => ({ channel, purpose_id })),
    );
    const chosen = pairs.filter(() => this.#random() < 0.5);
    const rules = (chosen.length > 0 ? chosen : pairs.slice(0, 1)).map((pair) => ({
      ...pair,
      ...this.pick(people),
      action: this.pick(['allow', 'deny'] as const),
    }));
    const given: NewConsent = {
      term_id: term.id,
      term_version_id: term.version_id,
      status,
      method: 'double_opt_in',
      source: 'form',
      evidence: {},
      at: this.at,
      rules,
    };
    const { id } = await service.db.transaction(
      async (tx) => await recordConsentEvent(tx, instance.id, given),
    );
    this.remembered.push({ id, term_id: term.id, status, rules });
  }
}

for (const seed of [1, 2026, 21_719]) {
  test(`the verdict is the contract's, over a random history (seed ${seed})`, async () => {
    const account = await openConsentAccount(service);
    const terms = [account.first, await account.term(), await account.term()];
    const history = new History(account, terms, randomFrom(seed));
    const lookUp = createConsentLookup(service.db);
    const seen = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      await history.step();
      const questions = [history.question(), history.question(), history.question()];
      const answers = await Promise.all(questions.map(lookUp));
      for (const [index, question] of questions.entries()) {
        const expected = people.map((contact) => modelVerdict(history.remembered, contact, question));
        const found = answers[index] ?? [];
        assert.deepEqual(
          found.map(({ verdict }) => verdict),
          expected,
          `after ${step + 1} steps: ${JSON.stringify(question)}`,
        );
        const overall = ['deny', 'allow'].find((verdict) => expected.includes(verdict as ConsentVerdict));
        assert.equal(overallVerdict(found), overall ?? 'none');
        for (const verdict of expected) seen.add(verdict);
      }
    }
    assert.equal(seen.size, 3, 'all three verdicts were to be found');
  });
}

test('a confirmation that comes after a later refusal does not undo it', async () => {
  const account = await openConsentAccount(service);
  const { instance, first, marketing } = account;
  const rule = {
    channel: 'mail',
    contact_type: 'email_address',
    contact: 'ana@example.com',
    purpose_id: marketing,
    action: 'allow',
  } as const;
  const at = new Date('2026-01-01T00:00:00.000Z');
  const { id } = await service.db.transaction(
    async (tx) =>
      await recordConsentEvent(tx, instance.id, {
        term_id: first.id,
        term_version_id: first.version_id,
        status: 'pending',
        method: 'double_opt_in',
        source: 'form',
        evidence: {},
        at,
        rules: [rule],
      }),
  );
  await account.recordDeny('ana@example.com');
  await service.db.transaction(
    async (tx) => await confirmConsentEvent(tx, instance.id, { id, evidence: {}, at }),
  );
  const question = {
    instance_id: instance.id,
    channel: 'mail',
    purpose_id: marketing,
    contacts: [rule],
  } as const;
  const [verdict] = await createConsentLookup(service.db)({ ...question, contacts: [rule] });
  assert.equal(verdict?.verdict, 'deny');
});
