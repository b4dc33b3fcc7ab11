import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, startAccepting, type Account } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

type Headers = Record<string, string>;
const named = (count: number): Headers =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'v']));
const long = (name: number, value: number, letter = 'v'): Headers => ({
  ['X'.repeat(name)]: letter.repeat(value),
});

const accepted: [string, Headers][] = [
  ['15 of them', named(15)],
  ['a name of 126 characters', long(126, 1)],
  ['a value of 995 characters', long(1, 995)],
  ['a value of 995 characters outside ASCII', long(1, 995, '😀')],
  ['a name and a value of 996 characters together', long(126, 870)],
  ['an empty value', { 'X-Empty': '' }],
  ['every printable character but the colon in the name', { '!#$%&\'*+-.^_`|~(),/;<=>?@[]{}"\\': 'v' }],
  ['the two that thread a conversation', { 'In-Reply-To': '<a@b>', References: '<a@b> <c@d>' }],
  ['a tab in the value', { 'X-Tab': 'a\tb' }],
  ['names that only begin like reserved ones', { 'X-Chqui': 'v', 'To-Do': 'v', 'Subject-Line': 'v' }],
];
for (const [what, headers] of accepted) {
  test(`custom headers with ${what} are accepted, and kept as they are`, async () => {
    const { status, json, text } = await account.send({ headers });
    assert.equal(status, 200, text);
    const [row] = await service.db.query(
      `select envelope -> 'headers' as headers from messages where msg_id = $1`,
      [json.message_id],
    );
    assert.deepEqual(row, { headers: Object.entries(headers) });
  });
}

const refused: [string, Headers, string, string][] = [
  ['16 of them', named(16), '/headers', 'too_long'],
  ['a name of 127 characters', long(127, 1), `/headers/${'X'.repeat(127)}`, 'string_too_long'],
  ['a value of 996 characters', long(1, 996), '/headers/X', 'string_too_long'],
  ['a value of 996 emojis', long(1, 996, '😀'), '/headers/X', 'string_too_long'],
  ['997 characters together', long(2, 995), '/headers/XX', 'string_too_long'],
  ['a long name and 997 together', long(126, 871), `/headers/${'X'.repeat(126)}`, 'string_too_long'],
  ['an empty name', { '': 'v' }, '/headers/', 'string_pattern_mismatch'],
  ['a blank in the name', { 'X A': 'v' }, '/headers/X A', 'string_pattern_mismatch'],
  ['a colon in the name', { 'X:': 'v' }, '/headers/X:', 'string_pattern_mismatch'],
  ['a name outside ASCII', { 'X-Ñ': 'v' }, '/headers/X-Ñ', 'string_pattern_mismatch'],
  ['a line break in the name', { 'X\r\nBcc': 'v' }, '/headers/X\r\nBcc', 'string_pattern_mismatch'],
  ['the names of pointers escaped', { 'X ~/': 'v' }, '/headers/X ~0~1', 'string_pattern_mismatch'],
  ['a line break in the value', { 'X-A': 'a\nb' }, '/headers/X-A', 'value_error.control_character'],
  ['a folded value', { 'X-A': 'a\r\n b' }, '/headers/X-A', 'value_error.control_character'],
  ['a name twice but for case', { 'X-A': '1', 'x-a': '2' }, '/headers/x-a', 'value_error.duplicate_header'],
];
for (const [what, headers, pointer, code] of refused) {
  test(`custom headers with ${what} are refused`, async () => {
    const answer = await account.send({ headers });
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), [`${pointer} ${code}`]);
  });
}

/** Each with the words that say what to use. */
const reserved: [string, RegExp][] = [
  ['To', /use to instead/],
  ['From', /use sender_email instead/],
  ['Cc', /use cc instead/],
  ['Bcc', /use bcc instead/],
  ['Subject', /use subject instead/],
  ['Reply-To', /use reply_to instead/],
  ['Content-Type', /html, text or attachments/],
  ['Content-Transfer-Encoding', /html, text or attachments/],
  ['Content-Disposition', /html, text or attachments/],
  ['MIME-Version', /html, text or attachments/],
  ['Message-ID', /In-Reply-To and References/],
  ['Sender', /use sender_email instead/],
  ['List-Unsubscribe', /the sender's stream/],
  ['List-Unsubscribe-Post', /the sender's stream/],
  ['X-Chq-Category', /use category instead/],
  ['X-Chq-Custom-Msg-Id', /use custom_msg_id instead/],
  ['X-Chq-Custom-Group-Code', /use custom_group_code instead/],
  ['X-Chq-Test-Mode', /use test_mode instead/],
  ...[
    'Date',
    'Return-Path',
    'Received',
    'DKIM-Signature',
    'Bounce-To',
    'X-Mailer',
    'Priority',
    'X-Report-Abuse',
    'Resent-Bcc',
    'Resent-From',
    'Resent-Sender',
    'x-chq-',
    'X-CHQ-Own',
  ].map((name): [string, RegExp] => [name, /written by the service/]),
];
test('headers that the service writes are refused in any case, with what to use instead', async () => {
  for (const [name, message] of reserved) {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase()]) {
      const answer = await account.send({ headers: { [spelled]: 'v' } });
      assertProblem(answer, 'validation_error');
      assert.deepEqual(violations(answer), [`/headers/${spelled} value_error.reserved_header`]);
      assert.match(answer.json.errors[0].message, message);
      assert.deepEqual(answer.json.errors[0].params, { header: spelled });
    }
  }
});
