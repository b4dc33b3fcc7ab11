import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TemplateVariables } from './liquid.ts';
import { judgeLiquid } from './judge-liquid.ts';
import { renderContent, renderTemplate } from './render-template.ts';

const variables: TemplateVariables = {
  recipient: { email: 'ana@example.com', name: 'Ana <b>&"\'' },
  unsubscribe_url: 'https://mail.example.com/u/x?a=1&b=2',
  view_url: 'https://mail.example.com/view/y',
};
const nothing = { subject: null, html: null, text: null };
const html = (source: string, given = variables): string | null =>
  renderContent({ ...nothing, html: source }, given).html;
const subject = (source: string, given = variables): string | null =>
  renderContent({ ...nothing, subject: source }, given).subject;

test('the four placeholders are filled in, escaped in HTML and as they are elsewhere', () => {
  const source =
    '{{ recipient.email }} {{recipient.name}} {{ unsubscribe_url }} <a href="{{ view_url }}">x</a>';
  const plain =
    'ana@example.com Ana <b>&"\' https://mail.example.com/u/x?a=1&b=2 <a href="https://mail.example.com/view/y">x</a>';
  assert.deepEqual(renderContent({ subject: source, html: source, text: source }, variables), {
    subject: plain,
    text: plain,
    html: 'ana@example.com Ana &lt;b&gt;&amp;&quot;&#39; https://mail.example.com/u/x?a=1&amp;b=2 <a href="https://mail.example.com/view/y">x</a>',
  });
});

test('a part that a template does not have stays absent', () => {
  assert.deepEqual(renderContent(nothing, variables), nothing);
});

test('what is unknown, missing or no text renders as nothing', () => {
  assert.equal(html('[{{ nobody }}{{ recipient.phone.home }}{{ recipient }}{{ nil }}]'), '[]');
  assert.equal(html('[{{ recipient.constructor.name }}{{ recipient.__proto__ }}{{ toString }}]'), '[]');
  const bare = { recipient: { email: 'ana@example.com' } };
  assert.equal(html('[{{ recipient.name }}{{ view_url }}{{ unsubscribe_url }}]', bare), '[]');
  assert.equal(html('Hello {{ recipient.name | default: "friend" }}', bare), 'Hello friend');
});

test('values are escaped on every way into the HTML', () => {
  const ways = [
    '{{ recipient.name }}',
    '{% echo recipient.name %}',
    '{% assign x = recipient.name %}{{ x }}',
    '{% cycle recipient.name %}',
    '{{ recipient.name | append: "" }}',
    '{{ recipient.name | split: "@" }}',
    '{% for part in (1..1) %}{{ recipient.name }}{% endfor %}',
    '{% tablerow part in (1..1) %}{{ recipient.name }}{% endtablerow %}',
    '{% capture x %}{{ recipient.name }}{% endcapture %}{{ x }}',
  ];
  for (const way of ways) assert.doesNotMatch(html(way) ?? '', /<b>/, way);
});

test('the value of a placeholder is not read as Liquid again', () => {
  const given = { recipient: { email: 'a@example.com', name: '{{ recipient.email }}{% if %}' } };
  assert.equal(html('{{ recipient.name }}', given), '{{ recipient.email }}{% if %}');
});

test('numbers, booleans and lists are written out', () => {
  assert.equal(html('{{ 1.5 }} {{ true }} {{ "a,b" | split: "," }} {% increment n %}'), '1.5 true ab 0');
});

test('nothing that a value holds can begin another header', () => {
  const given = { recipient: { email: 'a@example.com', name: 'Ana\r\nBcc: eve@example.com\n\t\u0000' } };
  assert.equal(subject('Hello {{ recipient.name }}!', given), 'Hello AnaBcc: eve@example.com!');
  assert.equal(subject('{{ "a|b" | replace: "|", "\r\n" }}'), 'ab');
});

test('a subject that grows beyond 254 characters is cut between characters', () => {
  const given = { recipient: { email: 'a@example.com', name: '😀'.repeat(300) } };
  assert.equal(subject('{{ recipient.name }}', given), '😀'.repeat(254));
  assert.equal(subject('x'.repeat(254)), 'x'.repeat(254));
});

test('no file can be read and no escaping be turned off', () => {
  const forbidden = [
    '{% include "/etc/passwd" %}',
    '{% render "package.json" %}',
    '{% layout "package.json" %}',
    '{% block a %}{% endblock %}',
    '{% liquid\n include "package.json" %}',
    '{{ recipient.name | raw }}',
  ];
  for (const source of forbidden) {
    assert.throws(() => html(source), { name: 'ParseError' }, source);
    assert.throws(() => subject(source), { name: 'ParseError' }, source);
  }
});

test('hostile templates are stopped within about a second', () => {
  const hostile = [
    '{% for a in (1..100000000) %}x{% endfor %}',
    '{% for a in (1..3000) %}{% for b in (1..3000) %}{{ a }}{% endfor %}{% endfor %}',
    `{% for a in (1..100000) %}${'x'.repeat(10_000)}{% endfor %}`,
    `{% assign a = "xxxx" %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(26)}{{ a }}`,
    `{% assign a = "xxxx" %}${'{% assign a = a | append: a %}'.repeat(30)}{{ a }}`,
    '{{ "now" | date: "%999999999Y" }}',
    `${'{% if true %}'.repeat(5000)}x${'{% endif %}'.repeat(5000)}`,
  ];
  for (const source of hostile) {
    for (const render of [html, subject]) {
      const start = performance.now();
      assert.throws(() => render(source), Error, source.slice(0, 80));
      assert.ok(performance.now() - start < 3_000, source.slice(0, 80));
    }
  }
});

test('a version is parsed once, and a later version is not mistaken for it', () => {
  const big = '<p>{{ recipient.email }}</p>'.repeat(4_000);
  const version = { id: 1, updated_at: new Date(1_000), ...nothing, html: big };
  const first = renderTemplate(version, variables);
  // Of the same version, whatever else is said about it: what was parsed before is used.
  assert.deepEqual(renderTemplate({ ...version, html: 'another' }, variables), first);
  const later = { ...version, updated_at: new Date(1_001), html: 'later' };
  assert.equal(renderTemplate(later, variables).html, 'later');
  assert.equal(renderTemplate({ ...later, id: 2, html: 'other id' }, variables).html, 'other id');
});

test('what is parsed is forgotten when newer versions need the room', () => {
  const version = { id: 10, updated_at: new Date(0), ...nothing, html: 'first' };
  renderTemplate(version, variables);
  for (let id = 11; id < 20; id += 1) {
    renderTemplate({ ...version, id, html: 'x'.repeat(4 * 1024 * 1024) }, variables);
  }
  assert.equal(renderTemplate({ ...version, html: 'parsed again' }, variables).html, 'parsed again');
});

test('a mistake is told with its place, counted from 1', () => {
  assert.deepEqual(judgeLiquid('/text', 'one\n  {{ recipient.name | shout }}', 'plain'), [
    {
      pointer: '/text',
      code: 'value_error.liquid',
      message: 'Line 2, column 3: undefined filter: shout',
      params: { line: 2, column: 3 },
    },
  ]);
  const [open] = judgeLiquid('/source', 'a\nb\n{% if x %}', 'html');
  assert.match(open?.message ?? '', /^Line 3, column 1: .* not closed$/);
});

test('what could not be sent cannot be saved', () => {
  const [endless] = judgeLiquid('/source', 'x\n{% for a in (1..100000000) %}x{% endfor %}', 'html');
  assert.deepEqual([endless?.code, endless?.params], ['value_error.liquid', { line: 2, column: 1 }]);
  const [many] = judgeLiquid('/source', '{{ a }}'.repeat(5_001), 'html');
  assert.deepEqual([many?.code, many?.params], ['value_error.liquid', { max_tags: 5_000 }]);
  assert.deepEqual(judgeLiquid('/source', '{{ a }}'.repeat(5_000), 'html'), []);
});
