import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, startAccepting, type Account, type Body } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

const injections = ['a\rb', 'a\nb', 'a\r\nBcc: x@y.cl', 'a\u0000b', 'a\u007fb'];
const lines: [string, string, (text: string) => Body][] = [
  ['the subject', '/subject', (text) => ({ subject: text })],
  ['a display name', '/to/0/name', (name) => ({ to: [{ email: 'a@sandbox.test', name }] })],
  ['the name to reply to', '/reply_to/name', (name) => ({ reply_to: { email: 'a@b.cl', name } })],
  ['a header', '/headers/X-A', (value) => ({ headers: { 'X-A': value } })],
  [
    'a file name',
    '/attachments/0/filename',
    (filename) => ({ attachments: [{ type: 'a/b', content: 'YQ==', filename }] }),
  ],
];
for (const [where, pointer, changes] of lines) {
  test(`line breaks and control characters in ${where} are refused`, async () => {
    for (const text of injections) {
      const answer = await account.send(changes(text));
      assertProblem(answer, 'validation_error');
      const nul = text.includes('\0') ? [`${pointer} string_unicode`] : [];
      assert.deepEqual(violations(answer), [...nul, `${pointer} value_error.control_character`], text);
    }
  });
}

test('text that is not valid Unicode, or has a NUL, is refused in every member', async () => {
  for (const field of ['html', 'text', 'category', 'custom_msg_id', 'custom_group_code']) {
    for (const text of ['a\u0000b', 'a\ud800b']) {
      assert.deepEqual(violations(await account.send({ [field]: text })), [`/${field} string_unicode`]);
    }
  }
  const named = await account.send({ headers: { 'X-\u0000': 'a' } });
  assert.ok(violations(named).includes('/headers string_unicode'));
});

test('text is stored as it was sent, whatever it looks like', async () => {
  const odd = [`'; drop table mails; --`, 'NULL', '{a,b}', '"quoted"', String.raw`\x00\\`, '\u2028😀', '\\'];
  for (const text of odd) {
    const { status, json } = await account.send({
      to: [{ email: 'a@sandbox.test', name: text }],
      subject: text,
      html: text,
      custom_msg_id: text,
      headers: { 'X-Odd': text },
    });
    assert.equal(status, 200);
    const [row] = await service.db.query(
      `select m.recipient_name, m.subject, m.custom_msg_id, convert_from(g.html, 'UTF8') as html,
         g.envelope -> 'headers' as headers, g.envelope ->> 'subject' as shown
       from mails m join messages g using (msg_id) where msg_id = $1`,
      [json.message_id],
    );
    const expected = { recipient_name: text, subject: text, custom_msg_id: text, html: text, shown: text };
    assert.deepEqual(row, { ...expected, headers: [['X-Odd', text]] });
  }
});
