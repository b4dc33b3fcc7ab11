import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/forms';
const blank = { name: 'Form', kind: 'advanced', type: 'registration', items: [] };
let service: TestService;
let panel: PanelUser;
before(async () => {
  service = await startTestService();
  panel = await signIn(service, await service.tenant(), 'developer');
});
after(async () => await service.stop());

for (const [title, settings, expected] of [
  [
    'a colour by name',
    { design: { primary_color: 'red' } },
    '/settings/design/primary_color string_pattern_mismatch',
  ],
  [
    'a logo by http',
    { design: { logo_url: 'http://a.example/l.png' } },
    '/settings/design/logo_url value_error.url',
  ],
  [
    'a logo that is a script',
    { design: { logo_url: 'javascript:x' } },
    '/settings/design/logo_url value_error.url',
  ],
  ['a title of 256 characters', { title: 'x'.repeat(256) }, '/settings/title string_too_long'],
  ['more than 64 KB', { anything: 'x'.repeat(65_536) }, '/settings value_error.too_large'],
  [
    'too much CSS',
    { design: { custom_css: ' '.repeat(20_001) } },
    '/settings/design/custom_css string_too_long',
  ],
  ...[
    'a { background: url(https://a.example) }',
    'a { background: URL ("x") }',
    '@IMPORT "x"',
    'a { width: expression(1) }',
    'a { background: \\75rl(x) }',
    'a { background: image-set("x" 1x) }',
    '</style><script>',
    '@font-face { font-family: x }',
    '/* */ @import "x"',
    '/* a { background: url(x) } */',
  ].map(
    (custom_css) =>
      [custom_css, { design: { custom_css } }, '/settings/design/custom_css value_error.css'] as const,
  ),
] as const) {
  test(`settings are refused: ${title}`, async () => {
    const { status, json } = await panel.post(path, { ...blank, settings });
    assert.equal(status, 422);
    assert.deepEqual(
      json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
      [expected],
    );
  });
}

test('honest CSS and further settings are kept as given', async () => {
  const settings = {
    title: 'Hola',
    custom: { anything: [1, null] },
    design: { custom_css: 'main > h1 { color: #123; padding: calc(1rem + 2px) !important }' },
  };
  const form = (await panel.post(path, { ...blank, settings })).json;
  assert.deepEqual(form.settings, settings);
  assert.equal((await panel.patch(`${path}/${form.id}`, { settings: null })).json.settings, null);
});
