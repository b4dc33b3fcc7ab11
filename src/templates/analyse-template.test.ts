import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let developer: PanelUser;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  const tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

async function analyse(draft: object) {
  const { status, json, text } = await developer.post('/v1/private/mail-templates/analysis', draft);
  assert.equal(status, 200, text);
  return json;
}

test('good content has its preview, variables, links and size', async () => {
  const found = await analyse({
    subject: 'Order {{ order.number }}',
    source: `<p>{{ recipient.name }}</p>
<a href="https://a.example/?x=1&amp;y=2">a</a><a href="{{ view_url }}">v</a>
  {% for item in order.items %}{{ item }}{% endfor %}<a href="https://a.example/?x=1&amp;y=2">a</a>{{ order.number }}{{ order.number }}`,
    text: 'é {{ coupon }}',
    template_variables: { order: { number: 7, items: ['x'] } },
  });
  assert.deepEqual(found.problems, []);
  assert.deepEqual(found.variables, [
    { name: 'order.number', pointer: '/subject', line: 1, column: 10, is_given: true },
    { name: 'order.items', pointer: '/source', line: 3, column: 18, is_given: true },
    { name: 'order.number', pointer: '/source', line: 3, column: 103, is_given: true },
    { name: 'coupon', pointer: '/text', line: 1, column: 6, is_given: false },
  ]);
  assert.deepEqual(found.links, [
    { url: 'https://a.example/?x=1&y=2', count: 2 },
    { url: 'https://mail.example.com/view/sample', count: 1 },
  ]);
  assert.equal(found.preview.subject, 'Order 7');
  assert.deepEqual(found.size, {
    html_bytes: Buffer.byteLength(found.preview.html),
    text_bytes: 3,
    clipped_above_bytes: 104_448,
  });
  assert.equal(found.text_part, 'é ');
});

test('the plain-text part of a template without a text is made from the HTML', async () => {
  const found = await analyse({
    source: '<h1>Hi {{ recipient.name }}</h1><p><a href="{{ view_url }}">Look</a></p>',
  });
  assert.equal(found.text_part, 'Hi Ana Rojas\n\nLook [https://mail.example.com/view/sample]');
  assert.equal(found.size.text_bytes, Buffer.byteLength(found.text_part));
  assert.equal(found.preview.text, null);
});

test('problems of Liquid are told at their line, each part for itself', async () => {
  const found = await analyse({
    subject: '{{ a | shout }}',
    source: '<p>\n  {{ b }}\n {% if %}</p>',
    text: '{{ c }}',
  });
  const places = found.problems.map(({ pointer, code, line, column }: never) => [
    pointer,
    code,
    line,
    column,
  ]);
  assert.deepEqual(places, [
    ['/subject', 'value_error.liquid', 1, 1],
    ['/source', 'value_error.liquid', 3, 7],
  ]);
  assert.equal(found.problems[0].message, 'undefined filter: shout');
  assert.deepEqual([found.preview, found.text_part, found.size, found.links], [null, null, null, []]);
  assert.deepEqual(
    found.variables.map(({ name }: { name: string }) => name),
    ['c'],
  );
});

test('problems of MJML are told at their line', async () => {
  const source = '<mjml>\n<mj-body>\n<mj-text colour="red">{{ a }}</mj-text>\n</mj-body>\n</mjml>';
  const { problems, variables } = await analyse({ editor: 'mjml', source });
  assert.ok(problems.length > 0);
  assert.deepEqual(
    [problems[0].pointer, problems[0].code, problems[0].line],
    ['/source', 'value_error.mjml', 3],
  );
  assert.ok(
    problems.some(({ message }: { message: string }) => message === 'mj-text: Attribute colour is illegal'),
  );
  assert.deepEqual(variables, [{ name: 'a', pointer: '/source', line: 3, column: 26, is_given: false }]);
});

test('variables beyond their bounds are a problem too, and large content is found in time', async () => {
  const { problems } = await analyse({ source: 'x', template_variables: { view_url: '' } });
  assert.deepEqual(
    problems.map(({ pointer, line }: never) => [pointer, line]),
    [['/template_variables', null]],
  );
  const large = await analyse({ source: Array.from({ length: 4_000 }, (_, n) => `{{ v${n} }}`).join('\n') });
  assert.deepEqual([large.variables.length, large.variables[499].line], [500, 500]);
});

test('viewers do not analyse', async () => {
  assert.equal((await viewer.post('/v1/private/mail-templates/analysis', { source: 'x' })).status, 403);
});
