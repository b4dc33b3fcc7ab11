import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../base/errors/problem.ts';
import { assertLinear } from '../protocol/mime/growth.fixture.ts';
import { readSubmission } from './read-submission.ts';

const submission = (...lines: string[]) => ({
  instance_id: 1,
  raw: Buffer.from([...lines, '', 'Hello', ''].join('\r\n')),
  recipients: [{ address: 'ana@example.com', domain: 'example.com' }],
  attachment_limit_bytes: 1024 * 1024,
  max_header_bytes: 256 * 1024,
  now: new Date(),
  retention_months: 3,
});

test('control characters of encoded words become spaces in names and subject', () => {
  const draft = readSubmission(
    submission(
      'From: =?utf-8?q?A=00B?= <hola@example.com>',
      'To: =?utf-8?q?C=0D=0AD?= <ana@example.com>',
      'Subject: =?utf-8?q?E=00=0AF_=C3=B1?=',
      'X-Chq-Custom-Msg-Id: =?utf-8?q?G=00H?=',
    ),
  );
  assert.ok(draft.kind === 'raw');
  const { from_name, subject, custom_msg_id, recipients } = draft;
  assert.deepEqual([from_name, subject, custom_msg_id], ['A B', 'E  F ñ', 'G H']);
  assert.equal(recipients[0]?.name, 'C  D');
});

const tagsOf = (...fields: string[]) =>
  readSubmission(submission('From: hola@example.com', ...fields.map((field) => `X-Chq-Tag: ${field}`))).tags;

test('each X-Chq-Tag is a tag, which is taken out of the message', () => {
  assert.deepEqual(
    tagsOf('campaign=welcome', ' order_id =  1001=a', 'who= =?utf-8?q?Mu=C3=B1oz?=', 'none='),
    {
      campaign: 'welcome',
      order_id: '1001=a',
      who: 'Muñoz',
      none: '',
    },
  );
  const longest = `${'n'.repeat(64)}=${'x'.repeat(256)}`;
  assert.deepEqual(Object.keys(tagsOf(longest) ?? {}), ['n'.repeat(64)]);
  const twenty = Array.from({ length: 20 }, (_, index) => `name-${index}=x`);
  assert.equal(Object.keys(tagsOf(...twenty) ?? {}).length, 20);
  assert.equal(tagsOf(), null);
  assert.doesNotMatch(rawOf('From: hola@example.com', 'X-Chq-Tag: a=b', 'X-Chq-Tag: c=d'), /X-Chq|a=b|c=d/);
});

const malformedTags: [what: string, fields: string[], expected: RegExp][] = [
  ['without a value', ['campaign'], /name=value/],
  ['without a name', ['=x'], /name=value/],
  ['empty', [''], /name=value/],
  ['with a name of other characters', ['a b=x'], /name=value/],
  ['with a name that is too long', [`${'n'.repeat(65)}=x`], /name=value/],
  ['with a value that is too long', [`a=${'x'.repeat(257)}`], /tag a has more than 256/],
  ['far too long', [`a=${'x'.repeat(100_000)}`], /more than/],
  ['there twice', ['a=1', 'b=1', 'a=1'], /tag a twice/],
  ['the 21st', Array.from({ length: 21 }, (_, index) => `n${index}=x`), /at most 20 tags/],
];
for (const [what, fields, expected] of malformedTags) {
  test(`a message whose tag is ${what} is refused`, () => {
    assert.throws(
      () => tagsOf(...fields),
      (error) => error instanceof Problem && expected.test(error.facts.errors?.[0]?.message ?? ''),
    );
  });
}

function rawOf(...lines: string[]): string {
  const draft = readSubmission(submission(...lines));
  return draft.kind === 'raw' ? draft.raw.toString() : '';
}

const written: [given: string, from: string][] = [
  ['hola@example.com', 'From: hola@example.com'],
  ['<hola@EXAMPLE.com>', 'From: hola@example.com'],
  ['Ana   <hola@example.com>', 'From: Ana <hola@example.com>'],
  ['"Ana" <hola@example.com>', 'From: Ana <hola@example.com>'],
  ['John Q. Public <hola@example.com>', 'From: "John Q. Public" <hola@example.com>'],
  ['"Gómez, Ana" <hola@example.com>', 'From: =?utf-8?q?G=C3=B3mez=2C_Ana?= <hola@example.com>'],
  ['=?iso-8859-1?q?Mu=F1oz?= <hola@example.com>', 'From: =?utf-8?q?Mu=C3=B1oz?= <hola@example.com>'],
  ['hola@example.com (Ana)', 'From: Ana <hola@example.com>'],
  ['Ana (of (course)) <hola@example.com>', 'From: Ana <hola@example.com>'],
  ['"ceo@bank.example" <hola@example.com>', 'From: =?utf-8?q?ceo=40bank=2Eexample?= <hola@example.com>'],
  [
    '=?utf-8?q?CEO_=3Cceo=40bank.example=3E?= <hola@example.com>',
    'From: =?utf-8?q?CEO_=3Cceo=40bank=2Eexample=3E?= <hola@example.com>',
  ],
  ['=?utf-8?q?a=0D=0ABcc=3A_b?= <hola@example.com>', 'From: "a  Bcc: b" <hola@example.com>'],
  ['=?utf-8?b?4oCuZXZpbOKArA==?= <hola@example.com>', 'From: evil <hola@example.com>'],
  ['hola@bücher.example', 'From: hola@xn--bcher-kva.example'],
];
for (const [given, from] of written) {
  test(`From: ${given} goes out as ${from}`, () => {
    assert.equal(
      rawOf('X-Before: 1', `From: ${given}`, 'X-After: 2'),
      `X-Before: 1\r\n${from}\r\nX-After: 2\r\n\r\nHello\r\n`,
    );
  });
}

const refusedAuthors = [
  'ceo@bank.example (a (b) <hola@example.com>',
  'ceo@bank.example <hola@example.com>',
  'ceo@bank.example: hola@example.com;',
  'Team: hola@example.com;',
  'CEO <hola@example.com',
  '<ceo@bank.example> <hola@example.com>',
  '<ceo@bank.example><hola@example.com>',
  'ceo@bank.example, hola@example.com',
  'hola@example.com,',
  '<@bank.example:hola@example.com>',
  'ceo@bank.example@example.com',
  'hola@[192.0.2.1]',
  'hola@localhost',
  'Acme, Inc. <hola@example.com>',
  'Note: Ana <hola@example.com>',
  '=?utf-8?q?CEO_<ceo@bank.example>?= <hola@example.com>',
  'hola',
  '',
];
for (const given of refusedAuthors) {
  test(`From: ${given} is refused`, () => {
    assert.throws(
      () => readSubmission(submission(`From: ${given}`)),
      (problem: Problem) => /From needs exactly one address/.test(problem.facts.errors?.[0]?.message ?? ''),
    );
  });
}

test('a message without From, with two, or with a name without end is refused', () => {
  const refusal = (...lines: string[]): string => {
    try {
      return rawOf(...lines);
    } catch (error) {
      return (error as Problem).facts.errors?.[0]?.message ?? '';
    }
  };
  const one = 'From: hola@example.com';
  assert.equal(refusal('Subject: x'), 'The message needs one From header.');
  assert.equal(refusal(one, one), 'The message needs one From header.');
  assert.equal(refusal(one, 'from : ceo@bank.example'), 'The message needs one From header.');
  const long = `From: ${'n'.repeat(256)} <hola@example.com>`;
  assert.equal(refusal(long), 'The name in From has more than 255 characters.');
});

test('fields that name another sender or that the service writes itself are removed', () => {
  const unwanted = [
    'Sender: ceo@bank.example',
    'sender : ceo@bank.example',
    'Resent-From: ceo@bank.example',
    'Resent-Sender: ceo@bank.example',
    'Resent-To: a@b.example',
    'RESENT-BCC: hidden@b.example,\r\n more@b.example',
    'Resent-Message-ID: <a@b>',
    'X-Report-Abuse: <https://evil.example/report>',
    'Bcc: hidden@b.example',
    'Return-Path: <ceo@bank.example>',
    'X-Chq-Category: a',
  ];
  const raw = rawOf(
    ...unwanted.slice(0, 5),
    'From: hola@example.com',
    ...unwanted.slice(5),
    'X-Sender: kept',
  );
  assert.equal(raw, 'From: hola@example.com\r\nX-Sender: kept\r\n\r\nHello\r\n');
});

test('a header may have 256 KB, To and Cc a thousand addresses', () => {
  const padded = (length: number): string[] => {
    const from = 'From: hola@example.com';
    return [from, `X: ${'x'.repeat(length - from.length - 2 - 3 - 2)}`];
  };
  assert.ok(rawOf(...padded(262_144)));
  assert.throws(
    () => rawOf(...padded(262_145)),
    (problem: Problem) => problem.code === 'request_too_large' && problem.facts.max_bytes === 262_144,
  );
  const named = (to: number, cc: number): string =>
    rawOf('From: hola@example.com', `To: ${'a@b.example,'.repeat(to)}`, `Cc: ${'a@b.example,'.repeat(cc)}`);
  assert.ok(named(500, 500));
  for (const [to, cc] of [
    [501, 500],
    [1_001, 0],
    [0, 20_000],
  ] as const) {
    assert.throws(
      () => named(to, cc),
      (problem: Problem) => /more than 1000 addresses/.test(problem.facts.errors?.[0]?.message ?? ''),
    );
  }
});

test('a header has 1,000 fields, From 10,000 characters', () => {
  const refusal = (...lines: string[]): string | undefined => {
    try {
      rawOf(...lines);
      return undefined;
    } catch (error) {
      return (error as Problem).facts.errors?.[0]?.message;
    }
  };
  const fields = (count: number): string[] => Array.from({ length: count }, () => 'X: y');
  assert.equal(refusal('From: hola@example.com', ...fields(999)), undefined);
  const tooMany = 'The header has more than 1000 fields.';
  assert.equal(refusal('From: hola@example.com', ...fields(1_000)), tooMany);
  const commented = (length: number): string => `From: Ana (${'x'.repeat(length - 25)}) <hola@example.com>`;
  assert.equal(commented(10_000).length, 'From: '.length + 10_000);
  assert.equal(refusal(commented(10_000)), undefined);
  assert.equal(refusal(commented(10_001)), 'From has more than 10000 characters.');
});

test('a header is read in time that grows with its length, whatever it holds', () => {
  const pieces = [
    'g:',
    'a@b.c,',
    '<a@b.c>',
    '"',
    '(',
    ')',
    '\\',
    '=?utf-8?b?YWFh?= ',
    '=?utf-8?q?x?=',
    '\r\n ',
    'a',
    ',',
  ];
  for (const name of ['From', 'To', 'Subject', 'X-Chq-Category']) {
    const read = (text: string): void => {
      try {
        readSubmission({
          ...submission('From: hola@example.com', `${name}: ${text}`),
          max_header_bytes: 1e9,
          now: new Date(),
          retention_months: 3,
        });
      } catch (error) {
        assert.ok(error instanceof Problem, String(error));
      }
    };
    assertLinear(read, { pieces, seed: 31, octets: 120_000, ns_per_octet: 500 });
  }
});

/** Octets of the attachments among these parts, beside enough text that they have to be weighed. */
function weigh(...parts: string[]): number {
  const { raw, ...rest } = submission('From: hola@example.com', 'Content-Type: multipart/mixed; boundary=b');
  const text = `--b\r\nContent-Type: text/plain\r\n\r\n${'x\r\n'.repeat(400_000)}`;
  const body = [text, ...parts.map((part) => `--b\r\n${part}`), '--b--'].join('\r\n');
  const draft = readSubmission({ ...rest, raw: Buffer.concat([raw, Buffer.from(body)]) });
  return draft.kind === 'raw' ? draft.attachment_bytes : -1;
}

test('attachments are weighed decoded; neither texts nor pictures inside of them are any', () => {
  const file = `Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${btoa('a'.repeat(999))}`;
  assert.equal(weigh(), 0);
  assert.equal(weigh(`Content-Type: application/pdf\r\n${file}`), 999);
  assert.equal(weigh(`Content-Type: text/plain\r\n${file}`), 999);
  assert.equal(weigh('Content-Type: text/html\r\nContent-Disposition: inline\r\n\r\n<p>'), 0);
  const picture = 'Content-Type: image/png\r\nContent-ID: <a>\r\n\r\n12345';
  assert.equal(weigh(picture), 5);
  assert.equal(weigh(`Content-Type: multipart/related; boundary=c\r\n\r\n--c\r\n${picture}\r\n--c--`), 0);
  assert.equal(weigh(...Array.from({ length: 21 }, () => file)), Number.MAX_SAFE_INTEGER);
});

test('attachments are counted in a light message too', () => {
  const { raw, ...rest } = submission('From: hola@example.com', 'Content-Type: multipart/mixed; boundary=b');
  const count = (number: number, part: string): number => {
    const body = Buffer.from(`${`\r\n--b\r\n${part}`.repeat(number)}\r\n--b--`);
    const draft = readSubmission({ ...rest, raw: Buffer.concat([raw, body]) });
    return draft.kind === 'raw' ? draft.attachment_bytes : -1;
  };
  assert.equal(count(20, 'content-Disposition: attachment\r\n\r\nx'), 0);
  assert.equal(count(21, 'content-Disposition: attachment\r\n\r\nx'), Number.MAX_SAFE_INTEGER);
  assert.equal(count(30, 'Content-Type: text/plain\r\n\r\nx'), 0);
});

test('recipients of the envelope are told apart by who sees them, and each is written to once', () => {
  const { recipients } = readSubmission({
    ...submission(
      'From: hola@example.com',
      'To: Ana <ANA@example.com>, <ana@example.com>',
      'Cc: b@example.com',
    ),
    recipients: ['ana@example.com', 'b@example.com', 'c@example.com', 'Ana@example.com'].map((address) => ({
      address,
      domain: 'example.com',
    })),
  });
  assert.deepEqual(
    recipients.map(({ address, kind, name }) => [address, kind, name]),
    [
      ['ana@example.com', 'to', 'Ana'],
      ['b@example.com', 'cc', undefined],
      ['c@example.com', 'bcc', undefined],
    ],
  );
});

test('a message of only line ends is read as quickly as others', () => {
  const { raw, ...rest } = submission('From: hola@example.com');
  const start = process.cpuUsage();
  const before = process.memoryUsage().rss;
  readSubmission({ ...rest, raw: Buffer.concat([raw, Buffer.alloc(15_000_000, '\r\n')]) });
  assert.ok(process.cpuUsage(start).user < 2_000_000);
  assert.ok(process.memoryUsage().rss - before < 300_000_000);
});
