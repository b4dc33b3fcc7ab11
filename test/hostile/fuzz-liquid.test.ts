import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../src/protocol/mime/seeded-random.fixture.ts';
import { validateLiquid } from '../../src/templates/validate-liquid.ts';
import { TemplateLimit } from '../../src/templates/liquid-budget.ts';
import { allowedFilters } from '../../src/templates/liquid-names.ts';
import { validateLimits } from '../../src/templates/liquid-limits.ts';
import { renderTemplate, TemplateFailure } from '../../src/templates/render-template.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 32);
const random = seededRandom(seed);
const rounds = 1_000;
/** What a template may take on top of its bytes. */
const units = 200_000;
const most_ms = 300;
/** Of processor time for each byte of the source: some are parsed by looking at every character again and again. */
const mostUsPerByte = 5;

const int = (below: number): number => Math.floor(random() * below);
const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;
const some = (most: number, make: () => string): string => Array.from({ length: int(most) }, make).join('');

const data = {
  recipient: { email: 'boom@example.com', name: 'Ana <b>&\u{1f600}\ud800' },
  text: 'Lorem <b>ipsum</b> &amp; dolor\r\n'.repeat(500),
  list: Array.from({ length: 300 }, (_, index) => `${'a'.repeat(20)}${(index * 7_919) % 300}`),
  items: Array.from({ length: 100 }, (_, index) => ({
    name: `item ${index}`,
    price: index / 3,
    tags: ['a', 'b'],
  })),
  big: 2 ** 53,
};

const atoms = [
  'recipient.name;recipient;text;list;items;big;x;y;forloop.index;nothing;empty;blank;nil;true;"text";"name";""',
  '1;-1;0;3.5;99999999999;1e9;(1..10);(1..100000);(big..big);(1..list.size);list.first;items.last.tags;list[x]',
  "items[0].name;'%A %c'",
].flatMap((line) => line.split(';'));
const forbidden = ['find_exp', 'where', 'raw', 'json', 'constructor', '__proto__'];
const name = (): string =>
  pick(int(200) === 0 ? forbidden : allowedFilters.filter((each) => each !== 'url_decode'));
const filter = (): string =>
  ` | ${name()}${int(30) === 0 ? '' : `: ${pick(atoms)}`}${int(3) ? '' : `, ${pick(atoms)}`}`;
const value = (): string => `${pick(atoms)}${some(5, filter)}`;
const operators = ['==', '!=', '<', '>', 'contains', 'and', 'or'];
const condition = (): string => `${pick(atoms)}${some(4, () => ` ${pick(operators)} ${pick(atoms)}`)}`;
const rubbish = '{{;}};{%;%};{% raw %};{% endif %};";|;(;..;\n;{%- ;{{-;\u0000'.split(';');

function block(depth: number): string {
  const inner = (): string => (depth > 4 ? 'x' : some(4, () => block(depth + 1)));
  const kinds: (() => string)[] = [
    () => 'text <b> & "',
    () => `{{ ${value()} }}`,
    () => `{% assign ${pick(['x', 'y', 'text', 'list'])} = ${value()} %}`,
    () =>
      `{% if ${condition()} %}${inner()}{% elsif ${condition()} %}${inner()}{% else %}${inner()}{% endif %}`,
    () => `{% unless ${condition()} %}${inner()}{% endunless %}`,
    () => `{% for ${pick(['i', 'x'])} in ${pick(atoms)} limit: ${pick(atoms)} %}${inner()}{% endfor %}`,
    () => `{% for i in ${pick(atoms)} reversed %}${inner()}{% break %}{% else %}${inner()}{% endfor %}`,
    () => `{% capture ${pick(['x', 'y', 'text'])} %}${inner()}{{ ${value()} }}{% endcapture %}`,
    () =>
      `{% case ${value()} %}{% when ${pick(atoms)}, ${pick(atoms)} %}${inner()}{% else %}${inner()}{% endcase %}`,
    () => `{% comment %}{{ x }}{% endcomment %}{% raw %}{{ x }}{% endraw %}{% increment x %}`,
    () => pick(rubbish),
  ];
  return pick(int(60) === 0 ? kinds : kinds.slice(0, -1))();
}

/** Text that looks like Liquid and is cut, doubled or shifted somewhere. */
function damaged(source: string): string {
  const at = int(source.length + 1);
  const cut = [
    source.slice(0, at),
    source.slice(at) + source,
    source.slice(0, at) + pick(rubbish) + source.slice(at),
  ];
  return int(8) === 0 ? pick(cut) : source;
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('any Liquid is validated and rendered in time linear in its bytes', (t) => {
  const worst = { ms: 0, source: '' };
  const seen = { rendered: 0, limited: 0, refused: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const source = damaged(some(12, () => block(0)));
    const ms = cpuMs(() => {
      const content = { subject: null, html: source, text: null };
      try {
        renderTemplate(content, data, units);
        seen.rendered += 1;
      } catch (error) {
        const isKnown = error instanceof TemplateLimit || error instanceof TemplateFailure;
        assert.ok(isKnown, `${String(error)} (FUZZ_SEED=${seed}): ${source}`);
        seen[error instanceof TemplateLimit ? 'limited' : 'refused'] += 1;
      }
    });
    if (ms > worst.ms) Object.assign(worst, { ms, source });
    const bound = most_ms + (source.length * mostUsPerByte) / 1000;
    assert.ok(ms < bound, `${ms} ms for ${source.length} bytes (FUZZ_SEED=${seed}): ${source}`);
  }
  t.diagnostic(`${JSON.stringify(seen)}, at most ${worst.ms.toFixed(1)} ms, FUZZ_SEED=${seed}`);
  assert.ok(seen.rendered > rounds / 20 && seen.limited > rounds / 50 && seen.refused > rounds / 20);
});

const repeated = [
  '{;{{;{%;{% raw %};{{ ";{% comment %};{% if a %};{% endif %};{{ a |;{% for i in;%};{{ a[;{{ a.;{%-;-%};{{ x }}',
  "{% case a %}{% when;{% endraw;(1..;\";{{ '';\n{% #",
].flatMap((line) => line.split(';'));
const wrapped = 'a[;a.;a | upcase ;not ;a or ;(;";1,;- ; ;(a..'.split(';');

test('no repetition makes the judge slow', (t) => {
  const sources = [
    ...repeated.map((piece) => piece.repeat(Math.ceil(60_000 / piece.length))),
    ...wrapped.flatMap((piece) => [
      `{{ ${piece.repeat(Math.ceil(60_000 / piece.length))} }}`,
      `{% if ${piece.repeat(Math.ceil(60_000 / piece.length))} %}{% endif %}`,
      `{% assign a = ${piece.repeat(Math.ceil(60_000 / piece.length))} %}`,
    ]),
  ];
  let worst = 0;
  for (const source of sources) {
    const ms = cpuMs(() => void validateLiquid({ pointer: '/source', source, kind: 'html' }));
    worst = Math.max(worst, ms);
    // 5,000 tags are judged as they are; what has more is refused unread.
    assert.ok(ms < 1_500, `${ms} ms for ${source.slice(0, 60)}…`);
  }
  t.diagnostic(`at most ${Math.round(worst)} ms for 60 KB`);
});

test('blocks that are too deep are told with their line', () => {
  const deep = (levels: number): string =>
    `${'\n{% if true %}'.repeat(levels)}x${'{% endif %}'.repeat(levels)}`;
  assert.deepEqual(validateLimits('/source', deep(50)), []);
  const [found] = validateLimits('/source', deep(51));
  assert.deepEqual(found?.params, { line: 52, max_nesting: 50 });
});
