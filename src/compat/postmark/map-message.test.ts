import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../base/errors/problem.ts';
import { mapMessage } from './map-message.ts';

const least = { From: 'a@x.cl', To: 'b@x.cl', Subject: 'S', TextBody: 'T' };
const mapped = { sender_email: 'a@x.cl', to: [{ email: 'b@x.cl' }], subject: 'S', text: 'T' };

const same: [string, given: object, expected: object][] = [
  ['the least', {}, {}],
  [
    'empty members',
    { Metadata: [], Cc: '', Bcc: null, HtmlBody: '', Tag: '', Attachments: [], MessageStream: '' },
    { attachments: [] },
  ],
  [
    'names',
    { From: 'Ana <a@x.cl>', To: '"B, C" <b@x.cl>' },
    { sender_name: 'Ana', to: [{ email: 'b@x.cl', name: 'B, C' }] },
  ],
  ['lists', { Cc: 'c@x.cl,d@x.cl,' }, { cc: [{ email: 'c@x.cl' }, { email: 'd@x.cl' }] }],
  ['a tag', { Tag: 'Sale!' }, { category: 'sale', tags: { Tag: 'Sale!' } }],
  ['a tag that is not a category', { Tag: '!' }, { tags: { Tag: '!' } }],
  ['metadata', { Metadata: { a: 'b' } }, { tags: { a: 'b' } }],
  ['no tracking', { TrackOpens: false, TrackLinks: 'None' }, { tracking: { opens: false, clicks: false } }],
  ['tracking', { TrackOpens: true, TrackLinks: 'HtmlAndText' }, { tracking: { opens: true, clicks: true } }],
  [
    'headers',
    {
      Headers: [
        { Name: 'X-A', Value: '1' },
        { Name: 'Date', Value: 'x' },
        { Name: 'Content-Transfer-Encoding', Value: '7bit' },
      ],
    },
    { headers: { 'X-A': '1' } },
  ],
  [
    'attachments',
    {
      Attachments: [
        { Name: 'a.pdf', Content: 'Y\nQ==', ContentType: null, ContentID: '' },
        { Name: 'c.txt', Content: 'YQ==', ContentId: 'c.txt' },
        { Name: 'd.txt', Content: 'YQ==', ContentId: 'cid:d' },
        {
          Name: 'b',
          Content: 'YQ==',
          ContentType: 'a/b; c=d',
          ContentID: 'cid:x',
          Disposition: 'Inline',
          ContentLength: 1,
        },
      ],
    },
    {
      attachments: [
        { filename: 'a.pdf', content: 'YQ==', type: 'application/pdf' },
        { filename: 'c.txt', content: 'YQ==', type: 'text/plain' },
        { filename: 'd.txt', content: 'YQ==', type: 'text/plain', content_id: 'd' },
        { filename: 'b', content: 'YQ==', type: 'a/b', content_id: 'x', disposition: 'inline' },
      ],
    },
  ],
];

for (const [what, given, expected] of same) {
  test(`maps ${what}`, () => {
    assert.deepEqual(mapMessage({ ...least, ...given }, false), { mail: { ...mapped, ...expected } });
  });
}

test('maps streams and templates', () => {
  const stream = (name: string) => mapMessage({ ...least, MessageStream: name }, false);
  assert.equal((stream('outbound') as { stream: string }).stream, 'transactional');
  assert.equal((stream('broadcast') as { stream: string }).stream, 'broadcast');
  const templated = mapMessage(
    { From: 'a@x.cl', To: 'b@x.cl', TemplateAlias: 'x', TemplateModel: { a: 1 } },
    true,
  );
  assert.deepEqual(templated, {
    mail: {
      sender_email: 'a@x.cl',
      to: [{ email: 'b@x.cl' }],
      template_alias: 'x',
      template_variables: { a: 1 },
    },
  });
  const inlined = mapMessage({ From: 'a@x.cl', To: 'b@x.cl', TemplateId: 1, InlineCss: true }, true);
  assert.equal((inlined as { without_stylesheets: boolean }).without_stylesheets, true);
});

const refused: [given: unknown, expected: string[], with_template?: true][] = [
  [[], [' dict_type']],
  [{ ...least, Extra: 1 }, ['/Extra extra_forbidden']],
  [{ ...least, To: ['b@x.cl'] }, ['/To string_type']],
  [{ ...least, From: 'a@x.cl, b@x.cl' }, ['/From value_error']],
  [{ ...least, TrackLinks: 'Some' }, ['/TrackLinks value_error']],
  [{ ...least, TrackLinks: 'constructor' }, ['/TrackLinks value_error']],
  [{ ...least, TemplateId: 1 }, ['/TemplateId extra_forbidden']],
  [
    {
      ...least,
      Headers: [
        { Name: 'A', Value: '1' },
        { Name: 'A', Value: '2' },
      ],
    },
    ['/Headers/1/Name value_error'],
  ],
  [{ ...least, TemplateId: 1 }, ['/Subject extra_forbidden', '/TextBody extra_forbidden'], true],
  [{ From: 'a@x.cl', To: 'b@x.cl', TemplateId: 1, TemplateAlias: 'x' }, ['/TemplateId value_error'], true],
];

for (const [given, expected, with_template = false] of refused) {
  test(`refuses ${JSON.stringify(given)}${with_template ? ' with a template' : ''}`, () => {
    const problem = mapMessage(given, with_template);
    assert.ok(problem instanceof Problem, JSON.stringify(problem));
    assert.deepEqual(
      problem.facts.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
      expected,
    );
  });
}
