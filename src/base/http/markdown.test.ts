import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const render = (text: string): string =>
  renderMarkdown(text, { address: (target) => (target.startsWith('no') ? undefined : `/to/${target}`) });

for (const [title, text, html] of [
  ['a heading', '## What `it` is', '<h2 id="what-it-is">What <code>it</code> is</h2>'],
  ['a paragraph of two lines', 'One\ntwo.', '<p>One\ntwo.</p>'],
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
  ['a block of HTML, which is escaped', '<script>a</script>', '&lt;script&gt;a&lt;/script&gt;'],
  ['a comment, which is left out', '<!-- a -->\n\nb', '<p>b</p>'],
  ['a bare address, which stays text', 'http://a.cl, a@b.cl', '<p>http://a.cl, a@b.cl</p>'],
  ['a line that begins with a number', 'One\n421. Two', '<p>One\n421. Two</p>'],
  ['a link with code', '[`a`](x)', '<p><a href="/to/x"><code>a</code></a></p>'],
  [
    'code',
    '```sh\na **b**\n\n# c\n```\nafter',
    '<pre tabindex="0"><code>a **b**\n\n# c</code></pre>\n<p>after</p>',
  ],
  ['a list', '- a\n  b\n- c', '<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>'],
  ['a list in a list', '1. a\n   - b\n2. c', '<ol>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ol>'],
  [
    'a table',
    '| A | B |\n|---|---|\n| `x` | y \\| z |',
    '<table>\n<thead>\n<tr>\n<th>A</th>\n<th>B</th>\n</tr>\n</thead>\n<tbody><tr>\n<td><code>x</code></td>\n<td>y | z</td>\n</tr>\n</tbody></table>',
  ],
  ['bold code', '**`a`** b', '<p><strong><code>a</code></strong> b</p>'],
  [
    'code in a list',
    '1. a\n\n   ```sh\n   b\n   ```\n\n2. c',
    '<ol>\n<li><p>a</p>\n<pre tabindex="0"><code>b</code></pre>\n</li>\n<li><p>c</p>\n</li>\n</ol>',
  ],
  ['a picture, which is not served', '![alt](images/a.webp)', '<p></p>'],
] as const) {
  test(title, () => assert.equal(render(text), html));
}
