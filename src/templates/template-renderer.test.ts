import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { bombs } from './liquid-bombs.fixture.ts';
import { isSmall } from './liquid-limits.ts';
import { sampleData } from './template-data.ts';
import { createTemplateRenderer, type TemplateRenderer } from './template-renderer.ts';

const nothing = { subject: null, html: null, text: null };
const failure = { name: 'TemplateFailure' };

function rendererFor(t: TestContext, limits = {}): TemplateRenderer {
  const renderer = createTemplateRenderer({ liquid_max_ms: 1_000, mjml_max_ms: 10_000, ...limits });
  t.after(() => renderer.stop());
  return renderer;
}

/** Processes that this one has started and that are still there. */
function processes(): number {
  const list = execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.includes('liquid-process')).length;
}

test('a small template is rendered in place', async (t) => {
  const renderer = rendererFor(t);
  const content = { subject: '{{ recipient.name }}', html: '<p>{{ recipient.email }}</p>', text: null };
  const rendered = { subject: 'Ana Rojas', html: '<p>ana@example.com</p>', text: null };
  for (let n = 0; n < 100; n += 1) assert.deepEqual(await renderer.render(1, content, sampleData), rendered);
  await assert.rejects(renderer.render(1, { ...nothing, html: '{{ a | where: "b" }}' }, {}), failure);
  assert.equal(processes(), 0);
});

const forName = '{{ recipient.name }}';
for (const [title, html] of [
  ['long', `${forName}${'x'.repeat(100_000)}`],
  ['of many tags', forName.repeat(101)],
  ['long within a tag', `${forName}{% assign x = "${'x'.repeat(500)}" %}`],
  ['of much work', `{% for i in (1..2000) %}{{ i }}{% endfor %}`],
] as const) {
  test(`a template that is ${title} is rendered in a process`, async (t) => {
    const renderer = rendererFor(t);
    const rendered = await renderer.render(1, { ...nothing, html }, sampleData);
    const expected =
      title === 'of much work' ? Array.from({ length: 2_000 }, (_, n) => n + 1).join('') : undefined;
    const named = html.replaceAll(forName, 'Ana Rojas').replace(/\{% assign .*%\}/, '');
    assert.equal(rendered.html, expected ?? named);
    assert.equal(processes(), 1);
  });
}

test('a small template has short tags too, wherever they end', () => {
  const long = 'a, '.repeat(200);
  for (const tag of [
    `{{ a | append: ${long}a }}`,
    `{{ a | append: ${long}`,
    `{%- if a contains ${long} -%}`,
    `{{ "}}" | append: ${long}a }}`,
    `{{ '}}' | append: ${long}a }}`,
    String.raw`{{ "\"}}" | append: ${long}a }}`,
    `{% assign a = "%}" | append: ${long}a %}`,
    `{% assign a = 1 }} ${long} %}`,
    `{{ a | append: ${long.slice(0, 400)}a }}`.repeat(25),
  ]) {
    assert.ok(!isSmall(`<p>${tag}</p>`), tag);
  }
  const text = 'a, '.repeat(10_000);
  for (const tag of ['{{ a }}', `{{ "it's" | append: 'a "b"' }}`, '{%- if a == "}" -%}', '{{', '{ { %} }}']) {
    assert.ok(isSmall(`${text}${tag}${tag.includes('}') ? text : ''}`), tag);
  }
});

test('a template that cannot be rendered fails permanently, in place and in a process', async (t) => {
  const renderer = rendererFor(t);
  const endless = { ...nothing, html: bombs['loops in loops'] ?? '' };
  await assert.rejects(renderer.render(1, endless, sampleData), {
    ...failure,
    message: /more work than it may/,
  });
  const long = { ...nothing, html: `${'{{ "x" }}'.repeat(200)}{{ recipient.name | url_decode }}` };
  await assert.rejects(renderer.render(1, long, { recipient: { name: '%' } }), failure);
});

test('work that the count does not see is killed', async (t) => {
  // So little that even an honest one of this size takes longer.
  const renderer = rendererFor(t, { liquid_max_ms: 20, mjml_max_ms: 20 });
  const large = '{{ recipient.name }} '.repeat(4_990);
  const stopped = /was stopped: it takes too long/;
  await assert.rejects(renderer.render(1, { ...nothing, html: large }, sampleData), {
    ...failure,
    message: stopped,
  });
  const [found] = await renderer.validate(1, [{ pointer: '/text', source: large, kind: 'plain' }]);
  assert.deepEqual([found?.pointer, found?.code], ['/text', 'value_error.liquid']);
  assert.match(found?.message ?? '', stopped);
  const body = '<mj-text>x</mj-text>'.repeat(2_000);
  const source = `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;
  const { errors } = await renderer.mjml(1, source);
  assert.match(errors?.[0]?.message ?? '', /too long/);
});

test('MJML becomes HTML in a process', async (t) => {
  const { html } = await rendererFor(t).mjml(1, '<mjml><mj-body></mj-body></mjml>');
  assert.match(html ?? '', /^<!doctype html>/i);
});
