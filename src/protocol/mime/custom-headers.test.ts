import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCustomHeaders } from './custom-headers.ts';

function headers(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-Header-${index}`, 'value']));
}

const accepted: [why: string, headers: Record<string, string>][] = [
  ['none', {}],
  ['fifteen', headers(15)],
  ['a name of 126 characters', { ['n'.repeat(126)]: 'value' }],
  ['a value of 995 characters', { n: 'v'.repeat(995) }],
  ['995 characters that are emoji', { n: '🙂'.repeat(995) }],
  ['a name and a value of 996 characters together', { ['n'.repeat(126)]: 'v'.repeat(870) }],
  ['every character a name can have', { '!#$%&\'*+-.^_`|~09AZaz"(),/;<=>?@[\\]{}': 'value' }],
  ['a tab in a value', { 'X-Tab': 'a\tb' }],
  ['an empty value', { 'X-Empty': '' }],
  ['characters outside ASCII in a value', { 'X-Name': 'Ñandú 語' }],
  ['threading', { 'In-Reply-To': '<a@example.com>', References: '<a@example.com> <b@example.com>' }],
  [
    'names that only begin like reserved ones',
    { 'To-Do': '1', 'X-Chqs': '1', 'List-Id': '<a.example>', 'X-Priority': '1' },
  ],
];
for (const [why, given] of accepted) {
  test(`${why}: nothing to object to`, () => assert.deepEqual(checkCustomHeaders(given), []));
}

const refused: [why: string, headers: Record<string, string>, violations: [name: string, rule: string][]][] =
  [
    ['sixteen', headers(16), [['', 'too_many']]],
    ['a name of 127 characters', { ['n'.repeat(127)]: 'v' }, [['n'.repeat(127), 'name_too_long']]],
    ['an empty name', { '': 'v' }, [['', 'name_invalid']]],
    ['a value of 996 characters', { n: 'v'.repeat(996) }, [['n', 'value_too_long']]],
    ['a value of a million characters', { n: 'v'.repeat(1e6) }, [['n', 'value_too_long']]],
    ['name and value of 997 characters', { nn: 'v'.repeat(995) }, [['nn', 'total_too_long']]],
    ['a colon in a name', { 'X:Y': 'v' }, [['X:Y', 'name_invalid']]],
    ['a blank in a name', { 'X Y': 'v' }, [['X Y', 'name_invalid']]],
    ['a line end in a name', { 'X\r\nBcc': 'v' }, [['X\r\nBcc', 'name_invalid']]],
    ['a letter outside ASCII in a name', { 'X-Ñ': 'v' }, [['X-Ñ', 'name_invalid']]],
    ['a name twice', { 'X-A': '1', 'x-a': '2' }, [['x-a', 'name_invalid']]],
    [
      'CR, LF, NUL, escape and delete in values',
      { A: '\r', B: 'b\nc', C: '\0', D: '\u001b[0m', E: '\u007f' },
      [
        ['A', 'value_invalid'],
        ['B', 'value_invalid'],
        ['C', 'value_invalid'],
        ['D', 'value_invalid'],
        ['E', 'value_invalid'],
      ],
    ],
    [
      'what is written at delivery, and who sends on',
      {
        'X-Report-Abuse': '<https://evil.example>',
        'Resent-Bcc': 'a@b.example',
        'resent-from': 'a@b.example',
      },
      [
        ['X-Report-Abuse', 'reserved'],
        ['Resent-Bcc', 'reserved'],
        ['resent-from', 'reserved'],
      ],
    ],
    [
      'the prefix of the platform',
      { 'X-Chq-Category': 'a', 'x-CHQ-': 'b' },
      [
        ['X-Chq-Category', 'reserved'],
        ['x-CHQ-', 'reserved'],
      ],
    ],
    [
      'a name and a value at once',
      { Subject: 'a\nb' },
      [
        ['Subject', 'reserved'],
        ['Subject', 'value_invalid'],
      ],
    ],
  ];
for (const [why, given, violations] of refused) {
  test(`${why}: refused`, () => {
    assert.deepEqual(
      checkCustomHeaders(given).map(({ name, rule }) => [name, rule]),
      violations,
    );
  });
}

const reserved: [name: string, useInstead: RegExp | undefined][] = [
  ['To', /^to$/],
  ['From', /^sender_email$/],
  ['Sender', /^sender_email$/],
  ['Cc', /^cc$/],
  ['Bcc', /^bcc$/],
  ['Subject', /^subject$/],
  ['Reply-To', /^reply_to$/],
  ['Content-Type', /html.*text.*attachments/],
  ['Content-Transfer-Encoding', /html.*text.*attachments/],
  ['Content-Disposition', /attachments/],
  ['MIME-Version', /html/],
  ['Message-ID', /^In-Reply-To and References/],
  ['List-Unsubscribe', /stream/],
  ['List-Unsubscribe-Post', /stream/],
  ['Date', undefined],
  ['Return-Path', undefined],
  ['Received', undefined],
  ['DKIM-Signature', undefined],
  ['Bounce-To', undefined],
  ['X-Mailer', undefined],
  ['Priority', undefined],
];
for (const [name, useInstead] of reserved) {
  test(`${name} is reserved in any case of its letters`, () => {
    for (const given of [name, name.toLowerCase(), name.toUpperCase()]) {
      const [violation, ...more] = checkCustomHeaders({ [given]: 'v' });
      assert.deepEqual(more, []);
      assert.equal(violation?.rule, 'reserved');
      assert.equal(violation.name, given);
      if (useInstead === undefined) assert.equal(violation.use_instead, undefined);
      else assert.match(violation.use_instead ?? '', useInstead);
    }
  });
}
