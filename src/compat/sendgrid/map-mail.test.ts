import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../base/errors/problem.ts';
import { mapMail } from './map-mail.ts';

const least = {
  from: { email: 'a@x.cl' },
  personalizations: [{ to: [{ email: 'b@x.cl' }] }],
  subject: 'S',
  content: [{ type: 'text/plain', value: 'T' }],
};
const mapped = {
  sender_email: 'a@x.cl',
  to: [{ email: 'b@x.cl' }],
  subject: 'S',
  text: 'T',
  custom_group_code: 'g',
  custom_msg_id: 'g.0',
};
const first = (more: object): object => ({ personalizations: [{ to: [{ email: 'b@x.cl' }], ...more }] });

const same: [string, given: object, expected: object][] = [
  ['the least', {}, {}],
  ['nulls', { reply_to: null, headers: null, asm: null, send_at: null, template_id: null }, {}],
  [
    'empty maps of PHP',
    { headers: [], custom_args: [], ...first({ custom_args: [], substitutions: [] }) },
    {},
  ],
  ['a name', { from: { email: 'a@x.cl', name: 'Ana' } }, { sender_name: 'Ana' }],
  [
    'names in quotes',
    { from: { email: 'a@x.cl', name: String.raw`"A \"B\", C"` } },
    { sender_name: 'A "B", C' },
  ],
  ['a sender of its own', first({ from: { email: 'c@x.cl' } }), { sender_email: 'c@x.cl' }],
  ['a subject of its own', first({ subject: 'P' }), { subject: 'P' }],
  ['copies', first({ cc: [{ email: 'c@x.cl', name: 'C' }] }), { cc: [{ email: 'c@x.cl', name: 'C' }] }],
  ['a reply', { reply_to: { email: 'r@x.cl' } }, { reply_to: [{ email: 'r@x.cl' }] }],
  ['replies', { reply_to_list: [{ email: 'r@x.cl' }] }, { reply_to: [{ email: 'r@x.cl' }] }],
  [
    'both contents',
    {
      content: [
        { type: 'text/plain', value: 'T' },
        { type: 'text/HTML; charset=utf-8', value: 'H' },
      ],
    },
    { html: 'H' },
  ],
  [
    'headers',
    { headers: { 'X-A': '1', Date: 'x' }, ...first({ headers: { 'X-A': '2' } }) },
    { headers: { 'X-A': '2' } },
  ],
  [
    'arguments',
    { custom_args: { a: '1', b: '1' }, ...first({ custom_args: { a: '2' } }) },
    { tags: { a: '2', b: '1' } },
  ],
  [
    'categories',
    { categories: ['A b', 'c'] },
    { category: 'a-b', tags: { category: 'A b', 'category.2': 'c' } },
  ],
  ['a time', { send_at: 1_800_000_000 }, { schedule_at: '2027-01-15T08:00:00.000Z' }],
  ['tracking', { tracking_settings: { click_tracking: { enable: false } } }, { tracking: { clicks: false } }],
  [
    'attachments',
    { attachments: [{ content: 'YQ==', filename: 'a.pdf', contentId: '<x>' }] },
    { attachments: [{ content: 'YQ==', filename: 'a.pdf', type: 'application/pdf', content_id: 'x' }] },
  ],
];

for (const [what, given, expected] of same) {
  test(`maps ${what}`, () => {
    assert.deepEqual(mapMail({ ...least, ...given }, 'g'), {
      mails: [{ mail: { ...mapped, ...expected } }],
      is_sandbox: false,
    });
  });
}

test('maps templates by number and by alias, with the data of each personalization', () => {
  const of = (template_id: string) => {
    const { subject: _subject, content: _content, ...rest } = least;
    const { mails } = mapMail({ ...rest, template_id, ...first({ dynamic_template_data: { a: 1 } }) }, 'g');
    const { template_id: id, template_alias, template_variables } = mails[0]?.mail ?? {};
    return [id, template_alias, template_variables];
  };
  assert.deepEqual(of('d-12'), [12, undefined, { a: 1 }]);
  assert.deepEqual(of('12'), [12, undefined, { a: 1 }]);
  assert.deepEqual(of('d-welcome'), [undefined, 'd-welcome', { a: 1 }]);
});

const refused: [given: object, expected: string[]][] = [
  [{ extra: 1 }, ['/extra extra_forbidden']],
  [{ personalizations: [] }, ['/personalizations too_short']],
  [{ personalizations: [{ to: [] }] }, ['/personalizations/0/to too_short']],
  [first({ cc: [{ email: 'x' }] }), ['/personalizations/0/cc/0/email value_error.email']],
  [{ content: [] }, ['/content missing']],
  [
    {
      content: [
        { type: 'text/plain', value: 'a' },
        { type: 'text/plain', value: 'b' },
      ],
    },
    ['/content/1/type value_error'],
  ],
  [{ send_at: -1 }, ['/send_at greater_than_equal']],
  [{ send_at: 1e18 }, ['/send_at less_than_equal']],
  [{ custom_args: { a: 1 } }, ['/custom_args/a string_type']],
  [{ mail_settings: { other: { enable: true } } }, ['/mail_settings/other extra_forbidden']],
];

for (const [given, expected] of refused) {
  test(`refuses ${JSON.stringify(given)}`, () => {
    assert.throws(
      () => mapMail({ ...least, ...given }, 'g'),
      (problem) => {
        assert.ok(problem instanceof Problem);
        assert.deepEqual(
          problem.facts.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
          expected,
        );
        return true;
      },
    );
  });
}
