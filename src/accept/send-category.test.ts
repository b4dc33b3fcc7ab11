import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { createCategories } from '../mails/categories.ts';
import { openAccount, startAccepting, type Account } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

async function slugOf(msg_id: string): Promise<string | undefined> {
  const [row] = await service.db.query<{ slug: string }>(
    `select c.slug from messages g join mails m using (msg_id)
     join categories c on c.id = g.category_id and c.id = m.category_id and c.instance_id = g.instance_id
     where g.msg_id = $1`,
    [msg_id],
  );
  return row?.slug;
}

const slugs: [string, string][] = [
  ['Órdenes de compra!', 'ordenes-de-compra'],
  ['  Bienvenida  ', 'bienvenida'],
  ['PASSWORD_RESET', 'password-reset'],
  ['a---b__c', 'a-b-c'],
  ['-a-', 'a'],
  ['Straße', 'strasse'],
  ['n\u0303andu\u0301', 'nandu'],
  ['北京', 'beijing'],
  ['Ελλάδα', 'ellada'],
  ['50% € 😀 off', '50-off'],
  ['line\r\nbreak', 'line-break'],
  ['7', '7'],
  ['x'.repeat(255), 'x'.repeat(255)],
  ['ß'.repeat(255), 's'.repeat(255)],
  [`${'x'.repeat(127)}-${'ß'.repeat(127)}`, `${'x'.repeat(127)}-${'s'.repeat(127)}`],
];
test('a category is stored as a slug: accents folded, lower case, everything else one hyphen', async () => {
  for (const [category, slug] of slugs) {
    const { status, json } = await account.send({ category });
    assert.equal(status, 200, category);
    assert.equal(await slugOf(json.message_id), slug);
  }
});

test('a category needs a letter or a digit', async () => {
  for (const category of ['', ' ', '-', '¡!', '€', '😀', '…', '\n', '\u0301', '___', '©®']) {
    const answer = await account.send({ category });
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), ['/category value_error.category'], JSON.stringify(category));
  }
});

test('a category is registered on first use, once, also by many at a time, and by each instance for itself', async () => {
  const other = await openAccount(service);
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, index) =>
        await (index % 4 === 0 ? other : account).send({
          category: index % 2 === 0 ? 'Brand new' : 'brand-NEW',
        }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const rows = await service.db.query<{ instance_id: number; id: number }>(
    `select instance_id, id from categories where slug = 'brand-new' order by instance_id`,
  );
  const owners = [account.instance.id, other.instance.id];
  assert.deepEqual(
    rows.map(({ instance_id }) => instance_id),
    owners,
  );
  // As another node, which remembers none of them.
  const found = owners.map(async (id) => await createCategories(service.db).idOf(id, 'brand-new'));
  assert.deepEqual(
    await Promise.all(found),
    rows.map(({ id }) => id),
  );
});

test('a mail without a category has none', async () => {
  for (const category of [undefined, null]) {
    const { json } = await account.send({ category });
    assert.equal(await slugOf(json.message_id), undefined);
  }
});
