import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget } from '../../templates/liquid-budget.ts';
import { parseLiquid, renderLiquid } from '../../templates/liquid.ts';
import { toLiquid, type Dialect } from './to-liquid.ts';

const data = {
  name: 'Ana & Co',
  zero: 0,
  none: [],
  blank: '',
  yes: true,
  order: {
    number: 7,
    lines: [
      { what: 'Tea', tags: ['a', 'b'] },
      { what: 'Mate', tags: [] },
    ],
  },
};

function render(liquid: string): string {
  const limits = { budget: new Budget(1_000_000), max_length: 10_000 };
  return renderLiquid(parseLiquid(liquid, 'html'), { kind: 'html', data, ...limits });
}

const truth = (path: string): string => `${path} and ${path} != empty and ${path} != 0`;

/** Source, Liquid, and what it renders. */
const exact: [dialect: Dialect, source: string, liquid: string, rendered: string][] = [
  ['handlebars', 'Hi {{name}}!', 'Hi {{ name }}!', 'Hi Ana &amp; Co!'],
  ['handlebars', '{{ order.lines.0.what }}', '{{ order.lines[0].what }}', 'Tea'],
  ['handlebars', 'a{{! note }}b{{!-- {{x}} --}}c', 'abc', 'abc'],
  [
    'handlebars',
    '{{#each order.lines}}{{@index}}{{what}}{{#each tags}}{{this}}{{../../name}}{{/each}};{{else}}none{{/each}}',
    '{% for item1 in order.lines %}{{ forloop.index0 }}{{ item1.what }}{% for item2 in item1.tags %}{{ item2 }}{{ name }}{% endfor %};{% else %}none{% endfor %}',
    '0TeaaAna &amp; CobAna &amp; Co;1Mate;',
  ],
  [
    'handlebars',
    '{{#each order.lines}}{{#unless @first}}, {{/unless}}{{this.what}} {{@root.order.number}}{{/each}}',
    '{% for item1 in order.lines %}{% unless forloop.first %}, {% endunless %}{{ item1.what }} {{ order.number }}{% endfor %}',
    'Tea 7, Mate 7',
  ],
  [
    'handlebars',
    '{{#if none}}a{{else if zero}}b{{else if yes}}c{{else}}d{{/if}}',
    `{% if ${truth('none')} %}a{% elsif ${truth('zero')} %}b{% elsif ${truth('yes')} %}c{% else %}d{% endif %}`,
    'c',
  ],
  ['handlebars', '{{#unless missing}}a{{/unless}}', `{% unless ${truth('missing')} %}a{% endunless %}`, 'a'],
  [
    'handlebars',
    '{{#each none}}a{{else}}{{name}}{{/each}}',
    '{% for item1 in none %}a{% else %}{{ name }}{% endfor %}',
    'Ana &amp; Co',
  ],
  [
    'handlebars',
    'a\n  {{#if yes}}\n  b\n  {{/if}}\nc',
    `a\n{% if ${truth('yes')} %}  b\n{% endif %}c`,
    'a\n  b\nc',
  ],
  [
    'handlebars',
    '{{#each none}}{{item1}}{{/each}}',
    '{% for item_1 in none %}{{ item_1.item1 }}{% endfor %}',
    '',
  ],
  ['handlebars', '{{{unsubscribe}}}', '{{ unsubscribe_url }}', ''],
  [
    'mustachio',
    '{{#order}}{{number}} {{../name}}{{/order}}',
    `{% if ${truth('order')} %}{{ order.number }} {{ name }}{% endif %}`,
    '7 Ana &amp; Co',
  ],
  [
    'mustachio',
    '{{#each order.lines}}{{what}}{{/each}}',
    '{% for item1 in order.lines %}{{ item1.what }}{% endfor %}',
    'TeaMate',
  ],
  [
    'mustachio',
    '{{#name}}{{.}}{{/name}}{{^none}}none{{/none}}',
    `{% if ${truth('name')} %}{{ name }}{% endif %}{% unless ${truth('none')} %}none{% endunless %}`,
    'Ana &amp; Conone',
  ],
  ['resend', 'Hi {{{EMAIL}}}', 'Hi {{ recipient.email }}', 'Hi '],
  [
    'resend',
    '{{{nick|you}}} {{{name|you}}}',
    '{% if nick == nil %}you{% else %}{{ nick }}{% endif %} {% if name == nil %}you{% else %}{{ name }}{% endif %}',
    'you Ana &amp; Co',
  ],
  [
    'resend',
    '{{{nick}}} {{{tier}}}',
    '{{ nick }} {% if tier == nil %}free{% else %}{{ tier }}{% endif %}',
    ' free',
  ],
];
for (const [dialect, source, liquid, rendered] of exact) {
  test(`${dialect} becomes Liquid: ${source}`, () => {
    const written = { dialect, kind: 'html', fallbacks: new Map([['tier', 'free']]) } as const;
    const converted = toLiquid(source, written);
    assert.deepEqual(converted.unknown, []);
    assert.equal(converted.liquid, liquid);
    assert.equal(render(liquid), rendered);
  });
}

const unknown: [dialect: Dialect, source: string, named: string[]][] = [
  ['handlebars', 'a\n{{#equals a b}}{{name}}{{/equals}}', ['2 {{#equals a b}}']],
  ['handlebars', '{{#name}}x{{/name}}', ['1 {{#name}}']],
  [
    'handlebars',
    '{{insert name "default=you"}}\n\n{{formatDate at fmt}}',
    ['1 {{insert name "default=you"}}', '3 {{formatDate at fmt}}'],
  ],
  [
    'handlebars',
    '{{~name}} \\{{name}} {{> part}} {{Sender_Name}}',
    ['1 {{~name}}', '1 {{name}}', '1 {{> part}}', '1 {{Sender_Name}}'],
  ],
  [
    'handlebars',
    '{{this}} {{../name}} {{@index}} {{@key}} {{a-b}}',
    ['1 {{this}}', '1 {{../name}}', '1 {{@index}}', '1 {{@key}}', '1 {{a-b}}'],
  ],
  [
    'handlebars',
    '{{recipient.name}}{{view_url}}{{empty}}',
    ['1 {{recipient.name}}', '1 {{view_url}}', '1 {{empty}}'],
  ],
  ['handlebars', 'x\n{% if a %}<%url%>', ['2 {%']],
  ['handlebars', '{{#if a}}\n{{/each}}', ['2 {{/each}}', '1 {{#if a}} is not closed']],
  ['handlebars', '{{else}}{{name', ['1 {{else}}', '1 {{name']],
  ['handlebars', '{{{{raw}}}}', ['1 {{{{raw}}}']],
  ['mustachio', '{{#if name}}a{{else}}b{{/if}}', ['1 {{#if name}}', '1 {{else}}']],
  ['mustachio', '{{^order}}{{name}}{{/order}}', ['1 {{name}}']],
  ['mustachio', '{{{ pm:unsubscribe }}}{{{@content}}}', ['1 {{{ pm:unsubscribe }}}', '1 {{{@content}}}']],
  [
    'resend',
    '{{name}} {{{FIRST_NAME}}} {{{contact.first_name}}} {{{a|{%}}}',
    ['1 {{name}}', '1 {{{FIRST_NAME}}}', '1 {{{contact.first_name}}}', '1 {{{a|{%}}}'],
  ],
];
for (const [dialect, source, named] of unknown) {
  test(`${dialect} is named, not converted: ${JSON.stringify(source)}`, () => {
    const converted = toLiquid(source, { dialect, kind: 'html' });
    assert.equal(converted.liquid, undefined);
    assert.deepEqual(
      converted.unknown.map(({ line, text }) => `${line} ${text}`),
      named,
    );
  });
}

test('unescaped values are reported as a difference in HTML, but not in plain text', () => {
  const source = 'a\n{{{name}}}{{& name}}';
  const html = toLiquid(source, { dialect: 'handlebars', kind: 'html' });
  assert.equal(html.liquid, 'a\n{{ name }}{{ name }}');
  assert.deepEqual(html.differences, [
    { line: 2, text: '{{{name}}}: the value is escaped here' },
    { line: 2, text: '{{& name}}: the value is escaped here' },
  ]);
  assert.deepEqual(toLiquid(source, { dialect: 'handlebars', kind: 'plain' }).differences, []);
});

test('blocks in blocks are limited', () => {
  const nested = (depth: number): string => '{{#if a}}'.repeat(depth) + '{{/if}}'.repeat(depth);
  const written = { dialect: 'handlebars', kind: 'html' } as const;
  assert.deepEqual(toLiquid(nested(100), written).unknown, []);
  assert.deepEqual(toLiquid(nested(101), written).unknown, [{ line: 1, text: '{{#if a}}' }]);
});

test('long sources are read in linear time', () => {
  const written = { dialect: 'handlebars', kind: 'html' } as const;
  const lines = ['{{#if a}}', '{{/if}}'].map((tag) => `${' '.repeat(20)}${tag}\n`).join('');
  for (const source of [
    '{{a}} '.repeat(200_000),
    ' '.repeat(2_000_000) + '{{#if a}}x{{/if}}',
    lines.repeat(20_000),
  ]) {
    const began = process.threadCpuUsage();
    assert.deepEqual(toLiquid(source, written).unknown, []);
    assert.ok(process.threadCpuUsage(began).user < 5_000_000);
  }
});
