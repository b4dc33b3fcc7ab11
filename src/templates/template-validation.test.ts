import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/mail-templates';
const megabyte = 1024 * 1024;
const mjml = (body: string): string =>
  `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;

let service: TestService;
let developer: PanelUser;
before(async () => {
  service = await startTestService();
  developer = await signIn(service, await service.tenant(), 'developer');
});
after(async () => await service.stop());

const refusals: [string, object, [string, string][]][] = [
  ['no name', {}, [['/name', 'missing']]],
  ['an empty name', { name: '' }, [['/name', 'string_too_short']]],
  ['a name of 256 characters', { name: 'x'.repeat(256) }, [['/name', 'string_too_long']]],
  [
    'empty strings',
    { name: 'x', subject: '', source: '', text: '' },
    [
      ['/subject', 'string_too_short'],
      ['/source', 'string_too_short'],
      ['/text', 'string_too_short'],
    ],
  ],
  ['a subject of 255 characters', { name: 'x', subject: 'x'.repeat(255) }, [['/subject', 'string_too_long']]],
  [
    'a subject of two lines',
    { name: 'x', subject: 'a\r\nBcc: b@example.com' },
    [['/subject', 'string_pattern_mismatch']],
  ],
  ['an unknown editor', { name: 'x', editor: 'word' }, [['/editor', 'enum']]],
  ['HTML that is not the source', { name: 'x', html: '<p>x</p>' }, [['/html', 'extra_forbidden']]],
  [
    'HTML of more than 5 MB in UTF-8',
    { name: 'x', source: 'é'.repeat((5 * megabyte) / 2 + 1) },
    [['/source', 'value_error.too_large']],
  ],
  [
    'text of more than 5 MB in UTF-8',
    { name: 'x', text: 'x'.repeat(5 * megabyte + 1) },
    [['/text', 'value_error.too_large']],
  ],
  [
    'MJML of more than 1 MB',
    { name: 'x', editor: 'mjml', source: mjml(' '.repeat(megabyte)) },
    [['/source', 'value_error.too_large']],
  ],
  [
    'Liquid mistakes everywhere at once',
    { name: 'x', subject: '{{ a', source: '{% nope %}', text: '{% if a %}' },
    [
      ['/subject', 'value_error.liquid'],
      ['/source', 'value_error.liquid'],
      ['/text', 'value_error.liquid'],
    ],
  ],
  [
    'MJML and Liquid mistakes together',
    { name: 'x', subject: '{{ a', editor: 'mjml', source: mjml('<mj-nope /><mj-text size="1">x</mj-text>') },
    [
      ['/subject', 'value_error.liquid'],
      ['/source', 'value_error.mjml'],
      ['/source', 'value_error.mjml'],
    ],
  ],
];
for (const [title, body, expected] of refusals) {
  test(`refused with 422: ${title}`, async () => {
    const { status, json } = await developer.post(path, body);
    assert.equal(status, 422);
    const found = json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
    assert.deepEqual(found, expected);
  });
}

test('the limits themselves are accepted', async () => {
  const largest = {
    name: 'x'.repeat(255),
    subject: '😀'.repeat(254),
    source: 'é'.repeat((5 * megabyte) / 2),
    text: 'x'.repeat(5 * megabyte),
  };
  const { status, json } = await developer.post(path, largest);
  assert.equal(status, 201);
  assert.equal(Buffer.byteLength(json.html), 5 * megabyte);
});

test('a mistake in MJML is told with its line and element, a mistake in Liquid with line and column', async () => {
  const source = mjml('\n<mj-text>fine</mj-text>\n<mj-text colour="red">x</mj-text>\n');
  const { json } = await developer.post(path, { name: 'x', editor: 'mjml', source });
  assert.deepEqual(json.errors, [
    {
      pointer: '/source',
      code: 'value_error.mjml',
      message: 'Line 3 (mj-text): Attribute colour is illegal',
      params: { line: 3, tag: 'mj-text' },
    },
  ]);
  const broken = mjml('\n<mj-text>\n  {{ recipient.name | shout }}</mj-text>');
  const { json: liquid } = await developer.post(path, { name: 'x', editor: 'mjml', source: broken });
  assert.deepEqual(liquid.errors, [
    {
      pointer: '/source',
      code: 'value_error.liquid',
      message: 'Line 3, column 3: undefined filter: shout',
      params: { line: 3, column: 3 },
    },
  ]);
});

test('MJML that grows beyond 5 MB of HTML is refused', async () => {
  const source = mjml('<mj-text>x</mj-text>'.repeat(16_000));
  const { status, json } = await developer.post(path, { name: 'x', editor: 'mjml', source });
  assert.equal(status, 422);
  assert.equal(json.errors[0].pointer, '/source');
});

test('no file of the machine comes out of a template', async () => {
  for (const include of [
    '<mj-include path="/etc/passwd" type="html" />',
    '<mj-include path="package.json" type="html" />',
  ]) {
    const { status, json, text } = await developer.post(`${path}/preview`, {
      editor: 'mjml',
      source: mjml(`\n${include}`),
    });
    assert.equal(status, 422);
    assert.deepEqual(json.errors[0].params, { line: 2, tag: 'mj-include' });
    assert.doesNotMatch(text, /root:|"chasqui"|\/work|node_modules/);
  }
  const liquid = await developer.post(`${path}/preview`, { source: '{% render "package.json" %}' });
  assert.deepEqual(liquid.json.errors[0].params, { line: 1, column: 1 });
});
