import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const render = (text: string): string =>
  renderMarkdown(text, { address: (target) => (target.startsWith('no') ? undefined : `/to/${target}`) });

for (const [title, text, html] of [
  ['a heading', '## What `it` is', '<h2 id="what-it-is">What <code>it</code> is</h2>'],
  ['a paragraph of two lines', 'One\ntwo.', '<p>One two.</p>'],
  [
    'emphasis',
    '**Panel → New** is *new*, 2 * 3 * 4',
    '<p><strong>Panel → New</strong> is <em>new</em>, 2 * 3 * 4</p>',
  ],
  ['links', '[a](x.md#b), [b](no.md)', '<p><a href="/to/x.md#b">a</a>, b</p>'],
  [
    'an address',
    '<http://localhost:8080/docs>',
    '<p><a href="http://localhost:8080/docs">http://localhost:8080/docs</a></p>',
  ],
  ['HTML, which is escaped', 'a <b> & `<i>`', '<p>a &lt;b&gt; &amp; <code>&lt;i&gt;</code></p>'],
  ['a link with code', '[`a`](x)', '<p><a href="/to/x"><code>a</code></a></p>'],
  [
    'code',
    '```sh\na **b**\n\n# c\n```\nafter',
    '<pre tabindex="0"><code>a **b**\n\n# c</code></pre>\n<p>after</p>',
  ],
  ['a list', '- a\n  b\n- c', '<ul><li>a b</li>\n<li>c</li></ul>'],
  ['a list in a list', '1. a\n   - b\n2. c', '<ol><li>a<ul><li>b</li></ul></li>\n<li>c</li></ol>'],
  [
    'a table',
    '| A | B |\n|---|---|\n| `x` | y \\| z |',
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td><code>x</code></td><td>y | z</td></tr></tbody></table>',
  ],
  ['bold code', '**`a`** b', '<p><strong><code>a</code></strong> b</p>'],
  [
    'code in a list',
    '1. a\n\n   ```sh\n   b\n   ```\n\n2. c',
    '<ol><li>a</li></ol>\n<pre tabindex="0"><code>b</code></pre>\n<ol start="2"><li>c</li></ol>',
  ],
  ['a picture, which is not served', '![alt](images/a.webp)', '<p></p>'],
] as const) {
  test(title, () => assert.equal(render(text), html));
}
