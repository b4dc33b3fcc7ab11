import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import {
  insertSender,
  openAccount,
  startAccepting,
  storedMails,
  type Account,
  type Body,
} from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

const canonical: [string, string][] = [
  ['  ana@sandbox.test\t', 'ana@sandbox.test'],
  ['Ana.Pérez+Tag@SANDBOX.Test', 'Ana.Pérez+Tag@sandbox.test'],
  ['ana@ÑANDÚ.sandbox.test', 'ana@xn--and-6ma2c.sandbox.test'],
  ['ana@xn--and-6ma2c.sandbox.test', 'ana@xn--and-6ma2c.sandbox.test'],
  ['ana@sandbox.test.', 'ana@sandbox.test'],
  ['ana@bücher。sandbox。test', 'ana@xn--bcher-kva.sandbox.test'],
  ['用户@sandbox.test', '用户@sandbox.test'],
  ['"ana maría"@sandbox.test', '"ana maría"@sandbox.test'],
  ["o'hara!#$%&*/=?^`{|}~-@sandbox.test", "o'hara!#$%&*/=?^`{|}~-@sandbox.test"],
  [`${'a'.repeat(64)}@sandbox.test`, `${'a'.repeat(64)}@sandbox.test`],
];
test('addresses are stored and shown in canonical form: trimmed, the domain in lower-case A-labels', async () => {
  const below = (name: string, address: string): string => address.replace(/sandbox/i, `${name}.$&`);
  for (const [given, expected] of canonical) {
    const { status, json, text } = await account.send({
      to: [{ email: given }],
      cc: [{ email: below('cc', given) }],
      bcc: [{ email: below('bcc', given) }],
      reply_to: { email: given, name: 'Ana' },
    });
    assert.equal(status, 200, `${given}: ${text}`);
    const mails = await storedMails(service, json.message_id);
    assert.deepEqual(
      mails.map(({ recipient, recipient_kind }) => [recipient, recipient_kind]),
      [
        [expected, 'to'],
        [below('cc', expected), 'cc'],
        [below('bcc', expected), 'bcc'],
      ],
    );
    const [row] = await service.db.query<{ envelope: Record<string, unknown>; destination: string }>(
      `select g.envelope, q.destination from messages g join queue q using (msg_id)
       where g.msg_id = $1 order by q.mail_id limit 1`,
      [json.message_id],
    );
    assert.deepEqual(row?.envelope['to'], [{ address: expected }]);
    assert.deepEqual(row?.envelope['cc'], [{ address: below('cc', expected) }]);
    assert.deepEqual(row?.envelope['reply_to'], { address: expected, name: 'Ana' });
    assert.ok(!JSON.stringify(row).includes('bcc.'), 'a hidden copy is not in the envelope');
    assert.equal(row?.destination, expected.slice(expected.lastIndexOf('@') + 1));
  }
});

test('the sender is found by its canonical address, whatever its letters', async () => {
  const domain = 'xn--and-6ma2c.example';
  const { email } = await insertSender(service, { instance_id: account.instance.id, domain });
  for (const sender_email of [
    email,
    ` ${email.toUpperCase()} `,
    'Hola@ÑANDÚ.example.',
    'HOLA@ñandú.EXAMPLE',
  ]) {
    const { status, json } = await account.send({ sender_email });
    assert.equal(status, 200, sender_email);
    const [row] = await service.db.query('select sender_email from mails where msg_id = $1', [
      json.message_id,
    ]);
    assert.deepEqual(row, { sender_email: email });
  }
});

const invalid = [
  '',
  ' ',
  'ana',
  '@sandbox.test',
  'ana@',
  'ana@localhost',
  'ana@@sandbox.test',
  'ana maria@sandbox.test',
  '.ana@sandbox.test',
  'ana.@sandbox.test',
  'an..a@sandbox.test',
  'ana@sandbox..test',
  'ana@-sandbox.test',
  'ana@sand_box.test',
  'ana@sandbox.test/x',
  'ana@sandbox.test?x',
  'ana@sandbox.test#x',
  String.raw`ana@sandbox.test\x`,
  'ana@sandbox.test:25',
  'ana@sand%62ox.test',
  'ana@sand\tbox.test',
  'ana@sand\nbox.test',
  'an\ra@sandbox.test',
  'ana@[192.0.2.1]',
  'ana@192.0.2.1',
  'ana@sandbox.123',
  'Ana <ana@sandbox.test>',
  'ana@sandbox.test, eva@sandbox.test',
  `${'a'.repeat(65)}@sandbox.test`,
  `${'é'.repeat(33)}@sandbox.test`,
  `ana@${'a'.repeat(64)}.test`,
  `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}sandbox.test`,
  'an\u200ba@sandbox.test',
];
const places: [string, string, (email: string) => Body][] = [
  ['the sender', '/sender_email', (email) => ({ sender_email: email })],
  ['to', '/to/1/email', (email) => ({ to: [{ email: 'a@sandbox.test' }, { email }] })],
  ['cc', '/cc/0/email', (email) => ({ cc: [{ email }] })],
  ['bcc', '/bcc/0/email', (email) => ({ bcc: [{ email }] })],
  ['reply_to', '/reply_to/email', (email) => ({ reply_to: { email } })],
];
for (const [where, pointer, changes] of places) {
  test(`a malformed address is refused in ${where}`, async () => {
    for (const email of invalid) {
      const answer = await account.send(changes(email));
      assertProblem(answer, 'validation_error');
      assert.deepEqual(violations(answer), [`${pointer} value_error.email`], JSON.stringify(email));
    }
  });
}

test('an address of 320 characters and more is too long as well', async () => {
  const answer = await account.send({ to: [{ email: `${'a'.repeat(400)}@sandbox.test` }] });
  assert.deepEqual(violations(answer), ['/to/0/email string_too_long', '/to/0/email value_error.email']);
});
