import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateLiquid } from './validate-liquid.ts';
import { renderUnits } from './liquid-limits.ts';
import type { LiquidKind, TemplateData } from './liquid.ts';
import { renderTemplate } from './render-template.ts';

const data: TemplateData = {
  recipient: { email: 'ana@example.com', name: 'Ana <b>&"\'' },
  unsubscribe_url: 'https://mail.example.com/u/x?a=1&b=2',
  view_url: 'https://mail.example.com/view/y',
};
const nothing = { subject: null, html: null, text: null };
const html = (source: string, given = data): string | null =>
  renderTemplate({ ...nothing, html: source }, given, renderUnits).html;
const subject = (source: string, given = data): string | null =>
  renderTemplate({ ...nothing, subject: source }, given, renderUnits).subject;
const validate = (pointer: string, source: string, kind: LiquidKind) =>
  validateLiquid({ pointer, source, kind });

test('the four placeholders are filled in, escaped in HTML and as they are elsewhere', () => {
  const source =
    '{{ recipient.email }} {{recipient.name}} {{ unsubscribe_url }} <a href="{{ view_url }}">x</a>';
  const plain =
    'ana@example.com Ana <b>&"\' https://mail.example.com/u/x?a=1&b=2 <a href="https://mail.example.com/view/y">x</a>';
  assert.deepEqual(renderTemplate({ subject: source, html: source, text: source }, data, renderUnits), {
    subject: plain,
    text: plain,
    html: 'ana@example.com Ana &lt;b&gt;&amp;&quot;&#39; https://mail.example.com/u/x?a=1&amp;b=2 <a href="https://mail.example.com/view/y">x</a>',
  });
});

test('a part that a template does not have stays absent', () => {
  assert.deepEqual(renderTemplate(nothing, data, 0), nothing);
});

test('a variable that is unknown, missing or not a text renders as an empty text', () => {
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
    '{{ recipient.name | append: "" }}',
    '{{ recipient.name | split: "@" }}',
    '{% for part in (1..1) %}{{ recipient.name }}{% endfor %}',
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

test('a value cannot begin another header', () => {
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
    assert.throws(() => html(source), { name: 'TemplateFailure' }, source);
    assert.throws(() => subject(source), { name: 'TemplateFailure' }, source);
  }
});

test('the list that a loop goes over may come with the values', () => {
  const lines = {
    lines: [
      { name: '<a>', price: 2 },
      { name: 'b', price: 3 },
    ],
  };
  const source =
    '{% for line in lines %}{{ line.name }} {{ line.price }};{% endfor %}{{ lines | map: "price" | sum }}';
  assert.equal(html(source, lines), '&lt;a&gt; 2;b 3;5');
});

test('a mistake is told with its place, counted from 1', () => {
  assert.deepEqual(validate('/text', 'one\n  {{ recipient.name | shout }}', 'plain'), [
    {
      pointer: '/text',
      code: 'value_error.liquid',
      message: 'Line 2, column 3: undefined filter: shout',
      params: { line: 2, column: 3 },
    },
  ]);
  const [open] = validate('/source', 'a\nb\n{% if x %}', 'html');
  assert.match(open?.message ?? '', /^Line 3, column 1: .* not closed$/);
});

test('a template that could not be sent cannot be saved', () => {
  const [endless] = validate('/source', 'x\n{% for a in (1..100000000) %}x{% endfor %}', 'html');
  assert.deepEqual([endless?.code, endless?.params], ['value_error.liquid', { line: 2, column: 1 }]);
  const [many] = validate('/source', '{{ a }}'.repeat(5_001), 'html');
  assert.deepEqual([many?.code, many?.params], ['value_error.liquid', { max_tags: 5_000 }]);
  assert.deepEqual(validate('/source', '{{ a }}'.repeat(5_000), 'html'), []);
});
