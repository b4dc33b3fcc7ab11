import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import {
  countMessages,
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

const mebibyte = 1024 * 1024;
const emoji = '😀';
const people = (count: number, name = 'a') =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}${index}@sandbox.test` }));
const without = (...fields: string[]): Body => Object.fromEntries(fields.map((field) => [field, undefined]));

const accepted: [string, Body][] = [
  ['a subject of 254 characters', { subject: 'x'.repeat(254) }],
  ['a subject of 254 emojis, each one character', { subject: emoji.repeat(254) }],
  ['a subject of one blank', { subject: ' ' }],
  ['html of 5 MB', { html: 'x'.repeat(5 * mebibyte) }],
  ['html of 5 MB in characters of several bytes', { html: 'ñ'.repeat(2.5 * mebibyte) }],
  ['text of 5 MB in characters of several bytes', { text: emoji.repeat(1.25 * mebibyte) }],
  ['50 recipients in to', { to: people(50) }],
  ['50 recipients in to, cc and bcc', { to: people(20), cc: people(20, 'b'), bcc: people(10, 'c') }],
  ['empty lists of copies', { cc: [], bcc: [] }],
  ['no attachments and no headers', { attachments: [], headers: {} }],
  ['a display name of 255 characters', { to: [{ email: 'a@sandbox.test', name: emoji.repeat(255) }] }],
  ['an empty display name', { to: [{ email: 'a@sandbox.test', name: '' }] }],
  ['identifiers of 254 characters', { custom_msg_id: emoji.repeat(254), custom_group_code: 'x'.repeat(254) }],
  ['a category of 255 characters', { category: 'é'.repeat(255) }],
  ...['template_id', 'text', 'cc', 'bcc', 'headers', 'attachments', 'category', 'reply_to'].map(
    (field): [string, Body] => [`null for ${field}`, { [field]: null }],
  ),
  ['null for the identifiers', { custom_msg_id: null, custom_group_code: null }],
  ['null for display names', { to: [{ email: 'a@sandbox.test', name: null }] }],
];
for (const [what, changes] of accepted) {
  test(`a send with ${what} is accepted`, async () => {
    const { status, text } = await account.send(changes);
    assert.equal(status, 200, text.slice(0, 500));
  });
}

const refused: [string, Body, ...string[]][] = [
  [
    'nothing but a sender',
    { ...without('to', 'subject', 'html') },
    '/to missing',
    '/subject missing',
    '/html missing',
  ],
  ['members that are not known', { labels: [1] } as Body, '/labels extra_forbidden'],
  [
    'members that are not known in what is nested',
    {
      to: [{ email: 'a@sandbox.test', mail: 'b' }],
      cc: [{ email: 'b@sandbox.test', vars: {} }],
      reply_to: { email: 'c@sandbox.test', address: 'x' },
      attachments: [{ type: 'text/plain', filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }],
    },
    '/to/0/mail extra_forbidden',
    '/cc/0/vars extra_forbidden',
    '/attachments/0/contentType extra_forbidden',
    '/reply_to/address extra_forbidden',
  ],
  ['no sender', without('sender_email'), '/sender_email missing'],
  ['nobody to write to', { to: [] }, '/to too_short'],
  ['null for to', { to: null }, '/to list_type'],
  ['null for the sender', { sender_email: null }, '/sender_email string_type'],
  ['null for test_mode', { test_mode: null }, '/test_mode bool_type'],
  ['no subject', without('subject'), '/subject missing'],
  ['null for the subject', { subject: null }, '/subject missing'],
  ['an empty subject', { subject: '' }, '/subject string_too_short'],
  ['a subject of 255 characters', { subject: 'x'.repeat(255) }, '/subject string_too_long'],
  ['a subject of 255 emojis', { subject: emoji.repeat(255) }, '/subject string_too_long'],
  ['no html', without('html'), '/html missing'],
  ['null for html', { html: null }, '/html missing'],
  ['text alone', { ...without('html'), text: 'x' }, '/html missing'],
  ['empty html', { html: '' }, '/html string_too_short'],
  ['empty text', { text: '' }, '/text string_too_short'],
  ['html over 5 MB', { html: 'x'.repeat(5 * mebibyte + 1) }, '/html string_too_long'],
  ['html over 5 MB in bytes alone', { html: `${'ñ'.repeat(2.5 * mebibyte)}x` }, '/html string_too_long'],
  ['text over 5 MB in bytes alone', { text: `${'ñ'.repeat(2.5 * mebibyte)}x` }, '/text string_too_long'],
  ['51 recipients in to', { to: people(51) }, '/to too_long'],
  ['51 recipients in all', { to: people(20), cc: people(20, 'b'), bcc: people(11, 'c') }, '/to too_long'],
  ['a recipient without an address', { to: [{ name: 'Ana' }] }, '/to/0/email missing'],
  ['a recipient that is a string', { to: ['a@sandbox.test'] }, '/to/0 dict_type'],
  [
    'a display name of 256 characters',
    { cc: [{ email: 'a@b.cl', name: 'x'.repeat(256) }] },
    '/cc/0/name string_too_long',
  ],
  [
    'a template and a subject',
    { template_id: 1, ...without('html') },
    '/subject value_error.template_content',
  ],
  ['a template and html', { template_id: 1, ...without('subject') }, '/html value_error.template_content'],
  [
    'a template and text',
    { template_id: 1, text: 'x', ...without('subject', 'html') },
    '/text value_error.template_content',
  ],
  ['template 0', { template_id: 0, ...without('subject', 'html') }, '/template_id greater_than_equal'],
  ['half a template', { template_id: 1.5, ...without('subject', 'html') }, '/template_id int_from_float'],
  ['a category of 256 characters', { category: 'x'.repeat(256) }, '/category string_too_long'],
  ['an identifier of 255 characters', { custom_msg_id: 'x'.repeat(255) }, '/custom_msg_id string_too_long'],
  [
    'a group code of 255 emojis',
    { custom_group_code: emoji.repeat(255) },
    '/custom_group_code string_too_long',
  ],
];
const wrongTypes: [string, Body, ...string[]][] = (
  [
    ['sender_email', 5, 'string_type'],
    ['to', {}, 'list_type'],
    [
      'template_id',
      'five',
      'int_parsing',
      '/subject value_error.template_content',
      '/html value_error.template_content',
    ],
    ['subject', 5, 'string_type'],
    ['html', ['<p>'], 'string_type'],
    ['text', true, 'string_type'],
    ['cc', 'a@b.cl', 'list_type'],
    ['bcc', { email: 'a@b.cl' }, 'list_type'],
    ['headers', [], 'dict_type'],
    ['attachments', 'x', 'list_type'],
    ['category', 5, 'string_type'],
    ['reply_to', 'a@b.cl', 'dict_type'],
    ['test_mode', 'true', 'bool_parsing'],
    ['custom_msg_id', 1001, 'string_type'],
    ['custom_group_code', {}, 'string_type'],
  ] as [string, unknown, string, ...string[]][]
).map(([field, value, code, ...more]) => [
  `${JSON.stringify(value)} for ${field}`,
  { [field]: value },
  `/${field} ${code}`,
  ...more,
]);
for (const [what, changes, ...expected] of [...refused, ...wrongTypes]) {
  test(`a send with ${what} is refused`, async () => {
    const answer = await account.send(changes);
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), expected);
  });
}

test('a member that is not known is answered with the nearest that is', async () => {
  const { json } = await account.send({
    subjet: 'x',
    to: [{ email: 'a@sandbox.test', nmae: 'Ana' }],
  } as Body);
  assert.deepEqual(
    json.errors.map(({ message }: { message: string }) => message),
    ['subject', 'name'].map((name) => `Extra inputs are not permitted; the nearest known name is '${name}'`),
  );
});

test('all mistakes are told in one answer, whatever kind they are of', async () => {
  const answer = await account.send({
    sender_email: 'nobody',
    to: [{ email: 'a@b' }, { email: 7 }, { email: 'x@sandbox.test', name: 'a\nb' }],
    cc: 'x',
    subject: `${'x'.repeat(255)}\n`,
    html: '',
    headers: { 'X-A': 5, Subject: 'x' },
    attachments: [{ type: 'pdf', content: '?', filename: '' }],
    category: '!',
    reply_to: { email: '@' },
  });
  assertProblem(answer, 'validation_error');
  assert.deepEqual(violations(answer).toSorted(), [
    '/attachments/0/content value_error.base64',
    '/attachments/0/filename string_too_short',
    '/attachments/0/type value_error.media_type',
    '/category value_error.category',
    '/cc list_type',
    '/headers/Subject value_error.reserved_header',
    '/headers/X-A string_type',
    '/html string_too_short',
    '/reply_to/email value_error.email',
    '/sender_email value_error.email',
    '/subject string_too_long',
    '/subject value_error.control_character',
    '/to/0/email value_error.email',
    '/to/1/email string_type',
    '/to/2/name value_error.control_character',
  ]);
});

test('a body that is not an object has one violation', async () => {
  for (const body of ['[]', '"x"', '5', 'null']) {
    const answer = await account.api.post('/v1/mails/send', body);
    assert.deepEqual(violations(answer), [' dict_type'], body);
  }
});

test('a recipient named again, in other letters or as a copy, counts once and gets one mail', async () => {
  const again = people(50).map(({ email }) => ({ email: email.toUpperCase(), name: 'Again' }));
  const { status, json } = await account.send({ to: people(50), cc: again, bcc: again });
  assert.equal(status, 200);
  const mails = await storedMails(service, json.message_id);
  assert.deepEqual(
    mails.map(({ recipient, recipient_kind, recipient_name }) => [recipient, recipient_kind, recipient_name]),
    people(50).map(({ email }) => [email, 'to', null]),
  );
});

test('refused sends write nothing', async () => {
  const beforeCount = await countMessages(account);
  for (const [, changes] of refused.slice(0, 5)) await account.send(changes);
  assert.equal(await countMessages(account), beforeCount);
});
