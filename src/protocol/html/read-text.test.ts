import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from 'html-to-text';
import { readTextOf } from './read-text.ts';
import { sampleMessages } from './sample-messages.fixture.ts';

const cases: [what: string, html: string, text: string][] = [
  ['paragraphs stand apart', '<p>One</p><p>Two<div>Three</div>', 'One\n\nTwo\nThree'],
  ['a line break is one', 'a<br>b<br/><br>c<br>', 'a\nb\n\nc'],
  ['white space is one space', ' a \n\t b&nbsp;c<b> d</b>e ', 'a b c de'],
  [
    'references are read',
    'Fish &amp; chips &mdash; 5&nbsp;&euro; &#241;&#x1F600; &lt;b&gt; &bogus;',
    'Fish & chips — 5 € ñ😀 <b> &bogus;',
  ],
  [
    'links have their address behind them',
    '<a href="https://a.test/?b=1&amp;c=2">Read <b>on</b></a>, please',
    'Read on [https://a.test/?b=1&c=2], please',
  ],
  [
    'an address that is shown is shown once',
    '<a href="https://a.test/">https://a.test/</a>',
    'https://a.test/',
  ],
  [
    'an address to write to is shown as one',
    '<a href="mailto:a@b.test">Ana</a> <a href="mailto:a@b.test">a@b.test</a>',
    'Ana [a@b.test] a@b.test',
  ],
  ['anchors have none', '<a href="#top">Up</a> <a name="x">here</a>', 'Up here'],
  [
    'links that are not closed end where the next begins',
    '<a href="x:1">a <a href="x:2">b',
    'a [x:1] b [x:2]',
  ],
  ['lists have marks and numbers', '<ul><li>a<li>b</ul><ol><li>c</li><li>d</ol>', '* a\n* b\n\n1. c\n2. d'],
  [
    'lists inside lists are indented',
    '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>e',
    '* a\n  1. b\n  2. c\n* d\n\ne',
  ],
  [
    'quotes have their sign',
    'a<blockquote>b<br>c<blockquote>d</blockquote></blockquote>e',
    'a\n\n> b\n> c\n\n> > d\n\ne',
  ],
  ['text that is laid out stays so', '<pre>a\n  b\n</pre>c', 'a\n  b\n\nc'],
  [
    'cells of a row are apart, rows are lines',
    '<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>',
    'a b\nc',
  ],
  ['rules are short', 'a<hr>b', 'a\n\n---\n\nb'],
  [
    'what is not shown is not told',
    '<head><title>T</title></head><style>s</style><script>x</script><!-- c --><template>t</template>a<img alt="b">',
    'a',
  ],
  [
    'what only Outlook sees is not told',
    '<!--[if mso]><p>no</p><![endif]-->a<!--[if !mso]><!-->b<!--<![endif]-->',
    'ab',
  ],
  ['signs that are no tags stay', '1 < 2 && 3 > 2 <3', '1 < 2 && 3 > 2 <3'],
  ['a head that never ends hides nothing', '<head><p>a', 'a'],
  ['nothing is nothing', '', ''],
];
for (const [what, html, text] of cases) {
  test(what, () => assert.equal(readTextOf(html), text));
}

test('lines are at most 78 columns, as far as words allow, and hang under the mark of their item', () => {
  const text = readTextOf(`<ul><li>${'word '.repeat(40)}${'x'.repeat(100)} end</ul>`);
  const lines = text.split('\n');
  assert.deepEqual(
    lines.map((line) => line.length <= 78 || /^ {2}x+$/.test(line)),
    lines.map(() => true),
  );
  assert.ok(lines.slice(1).every((line) => /^ {2}\S/.test(line)));
  assert.equal(text.split(/\s+/).length, 43);
});

test('a line that overflows ends before the next word', () => {
  const text = readTextOf('<a href="http://a.b/c">x</a>'.repeat(20));
  assert.ok(
    text.split('\n').every((line) => line.length <= 79),
    text,
  );
});

test('the time grows linearly with the length, whatever is in one line', () => {
  const time = (html: string): number => {
    const began = process.cpuUsage();
    readTextOf(html);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  for (const link of ['<a href="http://a.b/c">x</a>', '<a href="http://a.b/c">http://a.b/c</a>']) {
    const ms = time(link.repeat(24_000));
    assert.ok(ms < 500, `24,000 × ${link} took ${ms} ms`);
  }
});

test('whole messages read like what a converter on a tree makes of them', () => {
  // It writes what is drawn, and what templates hold, and closes links in the order of the tree.
  const otherwise = /AMP|never closes|pictures/;
  const selectors = [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
  ];
  const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
  for (const [name, html] of Object.entries(sampleMessages)) {
    if (otherwise.test(name)) continue;
    assert.deepEqual(wordsOf(readTextOf(html)), wordsOf(convert(html, { selectors })), name);
  }
});
