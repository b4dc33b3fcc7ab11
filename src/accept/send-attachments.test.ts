import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, startAccepting, storedMails, type Account } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service, { settings: { attachment_limit_bytes: 10 * mebibyte } });
});
after(async () => await service.stop());

const mebibyte = 1024 * 1024;
const file = (changes: Record<string, unknown> = {}) => ({
  type: 'application/pdf',
  content: 'JVBERi0xLjQK',
  filename: 'invoice.pdf',
  ...changes,
});
const bytes = (count: number): string => Buffer.alloc(count, 7).toString('base64');

const accepted: [string, Record<string, unknown>[]][] = [
  ['20 of them', Array.from({ length: 20 }, () => file())],
  ['10 MB in one', [file({ content: bytes(10 * mebibyte) })]],
  ['10 MB in two', [file({ content: bytes(4 * mebibyte) }), file({ content: bytes(6 * mebibyte) })]],
  ['one octet', [file({ content: 'YQ==' })]],
  ['two octets', [file({ content: 'YWI=' })]],
  ['the whole alphabet', [file({ content: '+/+/ABYZabyz0189' })]],
  ['a type with every sign', [file({ type: "x-a!#$%&'*+.^_`{|}~/vnd.b+json" })]],
  ['a file name of 255 characters', [file({ filename: '😀'.repeat(255) })]],
];
for (const [what, attachments] of accepted) {
  test(`attachments with ${what} are accepted, byte for byte`, async () => {
    const { status, json, text } = await account.send({ attachments });
    assert.equal(status, 200, text);
    const rows = await service.db.query<{ type: string; filename: string; content: Buffer }>(
      'select type, filename, content from message_attachments where msg_id = $1 order by position',
      [json.message_id],
    );
    assert.equal(rows.length, attachments.length);
    for (const [index, { type, filename, content }] of rows.entries()) {
      const given = attachments[index] as Record<string, string>;
      assert.deepEqual([type, filename], [given['type'], given['filename']]);
      assert.equal(content.toString('base64'), given['content']);
    }
    const [mail] = await storedMails(service, json.message_id);
    assert.equal(mail?.status, 2);
  });
}

test('images of the HTML keep their content_id and how they are shown', async () => {
  const { status, json, text } = await account.send({
    html: '<img src="cid:logo.1@shop">',
    attachments: [
      file({ content_id: 'logo.1@shop' }),
      file({ content_id: null, disposition: 'inline' }),
      file({ content_id: 'b', disposition: 'attachment' }),
      file({ disposition: null }),
    ],
  });
  assert.equal(status, 200, text);
  const rows = await service.db.query(
    'select content_id, disposition from message_attachments where msg_id = $1 order by position',
    [json.message_id],
  );
  assert.deepEqual(rows, [
    { content_id: 'logo.1@shop', disposition: null },
    { content_id: null, disposition: 'inline' },
    { content_id: 'b', disposition: 'attachment' },
    { content_id: null, disposition: null },
  ]);
});

const content = '/attachments/0/content value_error.base64';
const type = '/attachments/0/type value_error.media_type';
const refused: [string, unknown[], ...string[]][] = [
  [
    'a content_id in brackets',
    [file({ content_id: '<logo>' })],
    '/attachments/0/content_id value_error.content_id',
  ],
  ['an empty content_id', [file({ content_id: '' })], '/attachments/0/content_id string_too_short'],
  [
    'a content_id of 255 characters',
    [file({ content_id: 'x'.repeat(255) })],
    '/attachments/0/content_id string_too_long',
    '/attachments/0/content_id value_error.content_id',
  ],
  [
    'a content_id twice',
    [file({ content_id: 'a' }), file({ content_id: 'a' })],
    '/attachments/1/content_id value_error.duplicate_content_id',
  ],
  ['another disposition', [file({ disposition: 'hidden' })], '/attachments/0/disposition enum'],
  ['21 of them', Array.from({ length: 21 }, () => file()), '/attachments too_long'],
  [
    'an octet over 10 MB',
    [file({ content: bytes(10 * mebibyte + 1) })],
    '/attachments value_error.too_large',
  ],
  [
    'an octet over 10 MB in two',
    [file({ content: bytes(5 * mebibyte) }), file({ content: bytes(5 * mebibyte + 1) })],
    '/attachments value_error.too_large',
  ],
  ['a blank in the content', [file({ content: 'YW Jj' })], content],
  ['a line break in the content', [file({ content: 'YWJj\nYWJj' })], content],
  ['a line break after the content', [file({ content: 'YWJj\r\n' })], content],
  ['the alphabet of URLs', [file({ content: 'ab-_' })], content],
  ['no padding', [file({ content: 'YWI' })], content],
  ['too little padding', [file({ content: 'YQ=' })], content],
  ['too much padding', [file({ content: 'YWJj====' })], content],
  ['nothing but padding', [file({ content: '====' })], content],
  ['padding in the middle', [file({ content: 'YQ==YWJj' })], content],
  ['bits left over in one octet', [file({ content: 'YR==' })], content],
  ['bits left over in two octets', [file({ content: 'YWJ=' })], content],
  ['a data URL', [file({ content: 'data:text/plain;base64,YWJj' })], content],
  ['no subtype', [file({ type: 'pdf' })], type],
  ['an empty subtype', [file({ type: 'application/' })], type],
  ['a parameter of the type', [file({ type: 'text/plain; charset=utf-8' })], type],
  ['three parts of the type', [file({ type: 'a/b/c' })], type],
  ['a blank in the type', [file({ type: 'a /b' })], type],
  ['a line break in the type', [file({ type: 'a/b\r\nX: y' })], type],
  ['an empty type', [file({ type: '' })], '/attachments/0/type string_too_short'],
  ['an empty content', [file({ content: '' })], '/attachments/0/content string_too_short'],
  ['an empty file name', [file({ filename: '' })], '/attachments/0/filename string_too_short'],
  [
    'a file name of 256 characters',
    [file({ filename: 'x'.repeat(256) })],
    '/attachments/0/filename string_too_long',
  ],
  [
    'nothing in the second',
    [file(), {}],
    '/attachments/1/type missing',
    '/attachments/1/content missing',
    '/attachments/1/filename missing',
  ],
  ['null in it', [file({ content: null })], '/attachments/0/content string_type'],
  ['a string among them', ['x'], '/attachments/0 dict_type'],
];
for (const [what, attachments, ...expected] of refused) {
  test(`attachments with ${what} are refused`, async () => {
    const answer = await account.send({ attachments });
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), expected);
  });
}
