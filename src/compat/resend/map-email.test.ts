import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../base/errors/problem.ts';
import { mapEmail } from './map-email.ts';

const now = new Date('2026-12-01T12:00:00.000Z');
const least = { from: 'a@x.cl', to: 'b@x.cl', subject: 'S', text: 'T' };
const mapped = { sender_email: 'a@x.cl', to: [{ email: 'b@x.cl' }], subject: 'S', text: 'T' };

const same: [string, given: object, expected: object][] = [
  ['the least', {}, {}],
  ['a name', { from: 'Ana <a@x.cl>' }, { sender_name: 'Ana' }],
  ['a quoted name', { from: '"Ana, B." <a@X.CL>' }, { sender_name: 'Ana, B.' }],
  ['a name beyond ASCII', { from: 'Añañuca SpA <a@x.cl>' }, { sender_name: 'Añañuca SpA' }],
  ['a list', { to: ['b@x.cl', 'C <c@x.cl>'] }, { to: [{ email: 'b@x.cl' }, { email: 'c@x.cl', name: 'C' }] }],
  [
    'nulls',
    { cc: null, bcc: null, html: null, reply_to: null, headers: null, tags: null, topic_id: null },
    {},
  ],
  ['empty maps of PHP', { headers: [] }, {}],
  ['empty texts', { cc: '', html: '', scheduled_at: '' }, {}],
  ['copies', { cc: 'c@x.cl', bcc: ['d@x.cl'] }, { cc: [{ email: 'c@x.cl' }], bcc: [{ email: 'd@x.cl' }] }],
  ['replies', { reply_to: 'r@x.cl' }, { reply_to: [{ email: 'r@x.cl' }] }],
  ['headers', { headers: { 'X-A': '1', date: 'x' } }, { headers: { 'X-A': '1' } }],
  ['tags', { tags: [{ name: 'a', value: 'b' }] }, { tags: { a: 'b' } }],
  ['minutes', { scheduled_at: 'in 5 min' }, { schedule_at: '2026-12-01T12:05:00.000Z' }],
  ['an hour', { scheduled_at: 'in an hour' }, { schedule_at: '2026-12-01T13:00:00.000Z' }],
  ['days', { scheduled_at: 'In 2 days' }, { schedule_at: '2026-12-03T12:00:00.000Z' }],
  ['ISO 8601', { scheduled_at: '2026-12-02T09:00:00-03:00' }, { schedule_at: '2026-12-02T09:00:00-03:00' }],
  [
    'ISO 8601 with a blank and hours only',
    { scheduled_at: '2026-12-02 09:00+00' },
    { schedule_at: '2026-12-02T09:00:00+00:00' },
  ],
  [
    'an attachment by its name',
    { attachments: [{ filename: 'a.PDF', content: 'YQ==' }] },
    { attachments: [{ filename: 'a.PDF', content: 'YQ==', type: 'application/pdf' }] },
  ],
  [
    'an attachment as a list of octets',
    { attachments: [{ filename: 'a.txt', content: [195, 177] }] },
    { attachments: [{ filename: 'a.txt', content: 'w7E=', type: 'text/plain' }] },
  ],
  [
    'an inline attachment',
    { attachments: [{ filename: 'a', content: 'YQ==', content_id: '<logo>' }] },
    {
      attachments: [{ filename: 'a', content: 'YQ==', type: 'application/octet-stream', content_id: 'logo' }],
    },
  ],
];

for (const [what, given, expected] of same) {
  test(`maps ${what}`, () => {
    assert.deepEqual(mapEmail({ ...least, ...given }, { now, in_batch: false }), {
      mail: { ...mapped, ...expected },
    });
  });
}

test('maps a topic to the consent purpose that its sender must have', () => {
  assert.deepEqual(mapEmail({ ...least, topic_id: '7' }, { now, in_batch: true }), {
    mail: mapped,
    purpose: 7,
  });
});

test('maps a template by its number or its alias', () => {
  const of = (id: string) =>
    mapEmail(
      { from: 'a@x.cl', to: 'b@x.cl', template: { id, variables: { a: 1 } } },
      { now, in_batch: true },
    );
  const common = { sender_email: 'a@x.cl', to: [{ email: 'b@x.cl' }], template_variables: { a: 1 } };
  assert.deepEqual(of('12'), { mail: { ...common, template_id: 12 } });
  assert.deepEqual(
    mapEmail({ from: 'a@x.cl', to: 'b@x.cl', subject: '', template: { id: '1' } }, { now, in_batch: true }),
    {
      mail: { sender_email: 'a@x.cl', to: [{ email: 'b@x.cl' }], template_id: 1 },
    },
  );
  assert.deepEqual(of('welcome'), { mail: { ...common, template_alias: 'welcome' } });
});

const refused: [given: unknown, expected: string[]][] = [
  [[], [' dict_type']],
  ['x', [' dict_type']],
  [{ ...least, send_at: 1 }, ['/send_at extra_forbidden']],
  [{ ...least, to: [1] }, ['/to/0 string_type']],
  [{ ...least, from: '' }, ['/from missing']],
  [{ ...least, from: 'a@x.cl <b@x.cl' }, ['/from value_error.email']],
  [{ ...least, to: ['b@x.cl', 'x'] }, ['/to/1 value_error.email']],
  [{ ...least, attachments: [{ path: 'https://x.cl' }] }, ['/attachments/0/path value_error.unsupported']],
  [{ ...least, attachments: [{}] }, ['/attachments/0/content missing', '/attachments/0/filename missing']],
  [{ ...least, attachments: [{ filename: 'a', content: [] }] }, ['/attachments/0/content missing']],
  [
    { ...least, attachments: [{ filename: 'a', content: [256] }] },
    ['/attachments/0/content value_error.base64'],
  ],
  [
    { ...least, attachments: [{ filename: 'a', content: [1, '2'] }] },
    ['/attachments/0/content value_error.base64'],
  ],
  [{ ...least, attachments: [{ disposition: 'inline' }] }, ['/attachments/0/disposition extra_forbidden']],
  [{ ...least, topic_id: 't' }, ['/topic_id value_error.purpose']],
  [{ ...least, topic_id: '0' }, ['/topic_id value_error.purpose']],
  [{ ...least, scheduled_at: 'in 5 constructor' }, ['/scheduled_at value_error.date_time']],
  [{ ...least, scheduled_at: 'tomorrow' }, ['/scheduled_at value_error.date_time']],
  [{ ...least, scheduled_at: '2026-12-02T09:00:00' }, ['/scheduled_at value_error.date_time']],
  [{ ...least, tags: [{ name: 'a', value: 'b', c: 'd' }] }, ['/tags/0/c extra_forbidden']],
  [{ ...least, tags: [{ name: 'a b', value: 'b' }] }, ['/tags/0/name string_pattern_mismatch']],
  [{ ...least, template: { id: 'x', version: '1' } }, ['/template/version extra_forbidden']],
];

for (const [given, expected] of refused) {
  test(`refuses ${JSON.stringify(given)}`, () => {
    const problem = mapEmail(given, { now, in_batch: false });
    assert.ok(problem instanceof Problem, JSON.stringify(problem));
    assert.deepEqual(
      problem.facts.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
      expected,
    );
  });
}

test('refuses attachments in a batch', () => {
  const given = { ...least, attachments: [{ filename: 'a', content: 'YQ==' }] };
  const problem = mapEmail(given, { now, in_batch: true });
  assert.ok(problem instanceof Problem);
  assert.match(problem.facts.errors?.[0]?.message ?? '', /not supported in batch/);
});
