import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../base/errors/problem.ts';
import { readSubmission } from './read-submission.ts';

const read = (fields: string[], body: string[] = ['Ignored']) =>
  readSubmission({
    instance_id: 1,
    raw: Buffer.from(['From: "Ana" <hola@example.com>', ...fields, '', ...body, ''].join('\r\n')),
    recipients: [{ address: 'ana@example.com', domain: 'example.com' }],
    attachment_limit_bytes: 1024 * 1024,
    max_header_bytes: 256 * 1024,
    now: new Date(),
    retention_months: 3,
  });

test('a message that names a template is a send of it, with what else the message says', () => {
  const draft = read(
    [
      'To: Ana <ana@example.com>',
      'Reply-To: a@example.com, B <b@example.com>',
      'Subject: Ignored',
      'Message-ID: <1@example.com>',
      'Date: Tue, 1 Dec 2026 12:00:00 +0000',
      'X-Mailer: something',
      'User-Agent: something',
      'In-Reply-To: <0@example.com>',
      'X-Order: =?utf-8?q?a=C3=B1o?=',
      'X-Chq-Template-Alias: order.paid',
      'X-Chq-Template-Variables: {"order": {"number": 1001},',
      '  "name": "=?utf-8?q?Mu=C3=B1oz?="}',
      'X-Chq-Strict-Variables: true',
      'X-Chq-Tag: a=b',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
    ],
    [
      '--b',
      'Content-Type: multipart/alternative; boundary=c',
      '',
      '--c',
      'Content-Type: text/plain',
      '',
      'Ignored',
      '--c',
      'Content-Type: text/html',
      '',
      '<p>Ignored</p>',
      '--c--',
      '--b',
      'Content-Type: application/pdf; name="invoice.pdf"',
      'Content-Disposition: attachment; filename="invoice.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERg==',
      '--b',
      'Content-Type: image/png',
      'Content-Disposition: inline; filename="logo.png"',
      'Content-ID: <logo>',
      '',
      'png',
      '--b--',
    ],
  );
  assert.ok(draft.kind === 'template');
  const { template, template_variables, strict_variables, tags, sender_name, reply_to, headers } = draft;
  assert.deepEqual([template, strict_variables, tags], [{ alias: 'order.paid' }, true, { a: 'b' }]);
  assert.deepEqual(template_variables, { order: { number: 1001 }, name: 'Muñoz' });
  assert.equal(sender_name, 'Ana');
  assert.deepEqual(
    reply_to.map(({ address }) => address),
    ['a@example.com', 'b@example.com'],
  );
  assert.deepEqual(headers, [
    ['In-Reply-To', '<0@example.com>'],
    ['X-Order', 'año'],
  ]);
  assert.deepEqual(
    draft.attachments.map(({ content, ...rest }) => ({ ...rest, content: content.toString() })),
    [
      {
        type: 'application/pdf',
        filename: 'invoice.pdf',
        content: '%PDF',
        content_id: null,
        disposition: 'attachment',
      },
      { type: 'image/png', filename: 'logo.png', content: 'png', content_id: 'logo', disposition: 'inline' },
    ],
  );
});

test('a template may be named by its id', () => {
  const draft = read(['X-Chq-Template-Id: 12']);
  assert.ok(draft.kind === 'template');
  assert.deepEqual([draft.template, draft.template_variables], [{ id: 12 }, {}]);
});

const alias = 'X-Chq-Template-Alias: order.paid';
const refused: [what: string, fields: string[], expected: RegExp][] = [
  ['both names', [alias, 'X-Chq-Template-Id: 12'], /a template each/],
  ['an id that is not a number', ['X-Chq-Template-Id: x'], /is a number/],
  ['variables without a template', ['X-Chq-Template-Variables: {}'], /need X-Chq-Template-Alias/],
  ['strictness without a template', ['X-Chq-Strict-Variables: true'], /need X-Chq-Template-Alias/],
  ['variables that are not JSON', [alias, 'X-Chq-Template-Variables: {a'], /JSON object/],
  ['variables that are a list', [alias, 'X-Chq-Template-Variables: [1]'], /JSON object/],
  [
    'a variable of the service',
    [alias, 'X-Chq-Template-Variables: {"recipient": 1}'],
    /filled in by the service/,
  ],
  ['variables with NUL', [alias, String.raw`X-Chq-Template-Variables: {"a": "\u0000"}`], /NUL/],
  [
    'too many variables',
    [alias, `X-Chq-Template-Variables: {"a": "${'x'.repeat(66_000)}"}`],
    /more than 65536/,
  ],
  ['a header that stands twice', [alias, 'X-Order: 1', 'X-Order: 2'], /x-order twice/],
  ['too many headers', [alias, ...Array.from({ length: 16 }, (_, index) => `X-A${index}: 1`)], /at most 15/],
  [
    'too many replies',
    [alias, `Reply-To: ${Array.from({ length: 11 }, (_, i) => `a${i}@example.com`).join(', ')}`],
    /more than 10/,
  ],
  ['a signature', [alias, 'Content-Type: multipart/signed; boundary=b'], /signed or encrypted/],
];
for (const [what, fields, expected] of refused) {
  test(`a message of a template with ${what} is refused`, () => {
    assert.throws(
      () =>
        read(fields, ['--b', '', 'x', '--b', 'Content-Type: application/pkcs7-signature', '', 'x', '--b--']),
      (error) => error instanceof Problem && expected.test(error.facts.errors?.[0]?.message ?? error.message),
    );
  });
}

test('an alias that no template can have is not found', () => {
  assert.throws(() => read(['X-Chq-Template-Alias: 1st']), { code: 'mail_template_not_found' });
});

test('variables nested beyond measure are refused, not followed', () => {
  assert.throws(
    () => read([alias, `X-Chq-Template-Variables: {"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`]),
    {
      code: 'bad_request',
    },
  );
});
