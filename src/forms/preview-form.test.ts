import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { createFormAccount, type FormAccount } from './form-account.fixture.ts';

let service: TestService;
let account: FormAccount;
before(async () => {
  service = await startTestService();
  account = await createFormAccount(service);
});
after(async () => await service.stop());

const path = '/v1/private/forms/preview';
const field = (key: string, more: object = {}) => ({ kind: 'field', field_id: account.fields[key], ...more });

async function preview(form: object) {
  const { status, json, text } = await account.panel.post(path, {
    name: 'Boletín <1>',
    kind: 'advanced',
    ...form,
  });
  assert.equal(status, 200, text);
  return json;
}

test('a form that is not saved is shown as its visitors would see it, and nothing is saved', async () => {
  const { html, problems } = await preview({
    settings: { title: 'Hola', design: { primary_color: '#7a1f5c', logo_url: 'https://example.com/l.png' } },
    items: [
      field('EMAIL', { is_required: true }),
      field('FIRST_NAME', { width: 'half', label: 'Tu <nombre>' }),
      { kind: 'text', content: 'Un texto' },
      { kind: 'consent', term_id: account.term_id },
    ],
    lang: 'es',
    scheme: 'dark',
  });
  assert.deepEqual(problems, []);
  for (const shown of [
    '<html lang="es" class="dark">',
    '<h1>Hola</h1>',
    'Correo electrónico',
    'Tu &lt;nombre&gt;',
    'class="half"',
    'Un texto',
    '· versión 1</strong><p>I agree.',
    '--accent: #7a1f5c',
    'https://example.com/l.png',
  ]) {
    assert.ok(html.includes(shown), shown);
  }
  assert.equal((await account.panel.get('/v1/private/forms')).json.pagination.total_items, 0);
});

test('the document carries a policy that allows only its own styles and its logo', async () => {
  const { html } = await preview({
    settings: { design: { logo_url: 'https://example.com/l.png?x=1', custom_css: 'h1 { color: red }' } },
    items: [field('EMAIL')],
  });
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
  assert.match(policy, /^default-src &#39;none&#39;; /);
  assert.match(policy, /img-src https:\/\/example\.com\/l\.png;/);
  assert.match(policy, / style-src &#39;unsafe-inline&#39;;/);
  assert.doesNotMatch(policy, /script-src|sha256|frame-ancestors/);
});

test('an invalid form is refused and not shown as a page', async () => {
  const { html, problems } = await preview({
    settings: {
      title: 'Kept',
      design: { custom_css: '</style><script>1</script>', logo_url: 'http://plain.example/' },
    },
    items: [{ kind: 'field', field_id: 999_999 }, { kind: 'text', content: ' ' }, field('EMAIL')],
  });
  assert.deepEqual(
    problems.map(({ pointer }: { pointer: string }) => pointer),
    ['/settings/design/logo_url', '/settings/design/custom_css', '/items/0/field_id', '/items/1/content'],
  );
  assert.ok(html.includes('<h1>Kept</h1>'));
  assert.doesNotMatch(html, /<script|plain\.example/);
  assert.match(html, /for="EMAIL"/);
});

test('pages after the form, and fields that a form may keep', async () => {
  const sent = await preview({ items: [], page: 'check_mail', lang: 'es' });
  assert.match(sent.html, /Falta un paso/);
  const consent = { kind: 'consent', term_id: account.term_id };
  const asked = await preview({ items: [field('EMAIL'), consent], page: 'confirmation_mail', lang: 'es' });
  assert.match(asked.html, /Sí, confirmar/);
  assert.match(asked.html, /· versión 1<\/strong><br>I agree\./);
  const settings = { auto_reply: { subject: 'Hola <b>', text: 'Uno\n\nDos' } };
  const reply = await preview({ items: [field('EMAIL')], page: 'auto_reply', settings });
  assert.match(reply.html, /Hola &lt;b&gt;<\/h1>\s*<p[^>]*>Uno<\/p>\s*<p[^>]*>Dos<\/p>/);
  const created = await account.api.post('/v1/fields', { name: 'Old', field_key: 'OLD', type: 'text' });
  const items = [{ kind: 'field', field_id: created.json.id }];
  const form = { name: 'F', kind: 'advanced', type: 'registration', items };
  const { id } = (await account.panel.post('/v1/private/forms', form)).json;
  await account.panel.patch(`/v1/private/fields/${created.json.id}`, { is_active: false });
  assert.equal((await preview({ items })).problems[0].code, 'value_error.field_inactive');
  assert.deepEqual((await preview({ items, id })).problems, []);
});

test('a preview shows only its own instance, and viewers cannot make one', async () => {
  const other = await createFormAccount(service);
  const { html, problems } = await preview({
    items: [
      { kind: 'field', field_id: other.fields['EMAIL'] },
      { kind: 'consent', term_id: other.term_id },
    ],
  });
  assert.deepEqual(
    problems.map(({ code }: { code: string }) => code),
    ['value_error.field', 'value_error.term'],
  );
  assert.doesNotMatch(html, /I agree\.|for="EMAIL"/);
  const viewer = await signIn(service, account, 'viewer');
  assert.equal((await viewer.post(path, { name: 'x', kind: 'advanced', items: [] })).status, 403);
});
