import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { countMessages, openAccount, startAccepting, type Account } from './account.fixture.ts';
import { fieldsOf, postForm, whole } from './form.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

interface Stored {
  tags: unknown;
  indexed: string[];
}

/** The tags of each mail of a send, as the mail and as the index have them. */
async function storedTags({ status, json, text }: ApiResponse): Promise<Stored[]> {
  assert.equal(status, 200, text);
  return await service.db.query<Stored & Record<string, unknown>>(
    `select m.tags, array(select tag from mail_tags t where t.instance_id = m.instance_id and t.mail_id = m.mail_id
       order by tag) as indexed
     from mails m where m.msg_id = $1 order by m.mail_id`,
    [json.message_id],
  );
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${index}`, String(index)]));

test('the tags of a send are those of each of its mails', async () => {
  const tags = { campaign: 'welcome', 'Order_id.1': 'ñ: "1001", 🦤' };
  const to = [{ email: 'a@sandbox.test' }, { email: 'b@sandbox.test' }];
  const indexed = ['Order_id.1:ñ: "1001", 🦤', 'campaign:welcome'];
  const expected = { tags, indexed };
  assert.deepEqual(await storedTags(await account.send({ tags, to })), [expected, expected]);
});

test('a send may have twenty tags, with names of 64 and values of 256 characters, and none', async () => {
  const [most] = await storedTags(await account.send({ tags: many(20) }));
  assert.equal(most?.indexed.length, 20);
  const tags = { ['n'.repeat(64)]: '🦤'.repeat(256), empty: '' };
  const [longest] = await storedTags(await account.send({ tags }));
  assert.deepEqual(longest?.tags, tags);
  for (const none of [{}, null, undefined]) {
    assert.deepEqual(await storedTags(await account.send({ tags: none })), [{ tags: null, indexed: [] }]);
  }
});

test('names that objects of JavaScript have of their own are names like others', async () => {
  const tags = { constructor: 'a', toString: 'b', valueOf: 'c' };
  const [stored] = await storedTags(await account.send({ tags }));
  assert.deepEqual(stored?.indexed, ['constructor:a', 'toString:b', 'valueOf:c']);
  const [form] = await storedTags(await postForm(account, whole(fieldsOf(account, { tags }))));
  assert.deepEqual(form, stored);
});

test('each mistake in tags is told where it is, and nothing is stored', async () => {
  const stored = await countMessages(account);
  const cases: [unknown, string[]][] = [
    [many(21), ['/tags too_long']],
    [['a:b'], ['/tags dict_type']],
    ['a:b', ['/tags dict_type']],
    [
      { 'a b': 'x', 'c:d': 'x', ñ: 'x', ['n'.repeat(65)]: 'x', '': 'x' },
      [
        '/tags/ string_pattern_mismatch',
        '/tags/a b string_pattern_mismatch',
        '/tags/c:d string_pattern_mismatch',
        `/tags/${'n'.repeat(65)} string_pattern_mismatch`,
        '/tags/ñ string_pattern_mismatch',
      ],
    ],
    [{ a: 1, b: null, c: ['x'] }, ['/tags/a string_type', '/tags/b string_type', '/tags/c string_type']],
    [{ a: 'x'.repeat(257) }, ['/tags/a string_too_long']],
    [{ a: 'x\r\ny', b: 'x\u0000' }, ['/tags/a value_error.control_character', '/tags/b string_unicode']],
  ];
  for (const [tags, expected] of cases) {
    const answer = await account.send({ tags });
    assertProblem(answer, 'validation_error');
    const found = violations(answer).filter((each) => each !== '/tags/b value_error.control_character');
    assert.deepEqual(found.toSorted(), expected, JSON.stringify(tags));
    const inBatch = await account.api.post('/v1/mails/batch', {
      mails: [account.mail({ tags })],
      on_error: 'reject',
    });
    assert.ok(
      violations(inBatch).every((each) => each.startsWith('/mails/0/tags')),
      inBatch.text,
    );
  }
  assert.equal(await countMessages(account), stored);
});

test('a form has them as JSON', async () => {
  const parts = fieldsOf(account, { tags: { order: '1001' } });
  assert.deepEqual(await storedTags(await postForm(account, whole(parts))), [
    { tags: { order: '1001' }, indexed: ['order:1001'] },
  ]);
});
