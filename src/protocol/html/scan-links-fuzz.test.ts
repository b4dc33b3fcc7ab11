import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { linksByParser } from './parse5-links.fixture.ts';
import { scanLinks } from './scan-links.ts';

const opt_out = 'data-chq-notrack';

const fragments = [
  ['<a ', '<A ', '<area ', '<a\n', '<a/', '<a\t', '<p ', '<img ', '<a', '</a', '<abbr ', '<table ', '<td '],
  [
    'href=',
    'HREF = ',
    'href\n=\t',
    'href',
    'data-href=',
    'hreflang=',
    'title=',
    'class=x ',
    '=href=',
    'href= ',
  ],
  [
    '"https://x.test/?a=1&amp;b=2"',
    '\'http://y.test/"q"\'',
    'https://z.test/',
    '"mailto:a@b.test"',
    '"#top"',
    '""',
  ],
  [
    'https://u.test/a/b?c=d&copy=1',
    '"https://x.test/&#x2F;&lt;&copy;&copyx&eacute"',
    '"//x.test"',
    '"tel:+56"',
  ],
  [
    '"https://x.test/\r\n?a\0b"',
    '"\thttps://x.test/ "',
    'https://q.test/"quoted',
    "'",
    '"',
    '`',
    '&amp;',
    '&#38',
  ],
  [
    ' data-chq-notrack',
    ' data-chq-notrack="no"',
    ' DATA-CHQ-NOTRACK',
    ' target=_blank',
    ' / ',
    ' ',
    '\n',
    '\r\n',
  ],
  [
    '>',
    '>',
    '>',
    '>',
    '/>',
    '>text',
    '>text</a>',
    '></p>',
    '</td>',
    '</table>',
    '</p>',
    '</body>',
    '</html>',
  ],
  [
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<!--->',
    '<!---->',
    '<!--[if mso]>',
    '<![endif]-->',
    '<![if !mso]>',
    '<!-',
    '--',
  ],
  [
    '<!--[if !mso]><!-->',
    '<!--<![endif]-->',
    '<![endif]>',
    '<!doctype html>',
    '<?xml version="1"?>',
    '<!',
    '<?',
    '</',
  ],
  [
    '<title>',
    '</title>',
    '<textarea>',
    '</textarea >',
    '<style>',
    '</style/',
    '<xmp>',
    '</xmp>',
    '<noscript>',
    '</TITLE>',
  ],
  [
    '<script>',
    '</script>',
    '<script ',
    '</script ',
    '<!--<script>',
    '</scripty>',
    '<iframe>',
    '</iframe>',
    '<noembed>',
  ],
  [
    '</noembed>',
    '<',
    '</>',
    '< ',
    '<1',
    '&',
    '\0',
    'é',
    '🙂',
    '<v:roundrect href="https://v.test/">',
    '<amp-img ',
    'x',
  ],
  [
    '<![CDATA[',
    ']]>',
    '<div>',
    '</div>',
    '<b>',
    '</b>',
    '<ul><li>',
    '<plaintex>',
    '<o:p></o:p>',
    '<body>',
    '<head>',
    '<template>',
  ],
  [
    '</template>',
    '<button>',
    '<form>',
    '<caption>',
    '</head>',
    '<option>',
    '<tr>',
    '<center>',
    '<font color=red>',
    '<i>',
  ],
  [
    '<svg viewBox="0 0 1 1"><path d="M0"/><a href="https://s.test/">x</a></svg>',
    '<svg><style>a > b</style><![CDATA[ <a href="https://c.test/"> ]]></svg>',
    '<math><mi>x</mi></math>',
    '<svg><g><p>',
    '<svg/>',
  ],
].flat();

function fuzzedHtml(random: () => number): string {
  const pick = (from: string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const favourites = Array.from({ length: 12 }, () => pick(fragments));
  const pieces = Array.from({ length: 2 + Math.floor(random() * 40) }, () => {
    if (random() < 0.25) return `<a href="https://w.test/${Math.floor(random() * 9)}">`;
    return pick(random() < 0.6 ? favourites : fragments);
  });
  return pieces.join('');
}

test('the scanner finds in fuzzed HTML what a whole parser finds, character for character', () => {
  const random = seededRandom(6);
  let found = 0;
  for (let round = 0; round < 12_000; round += 1) {
    const html = fuzzedHtml(random);
    const { links, body_end } = scanLinks(html, { opt_out });
    assert.deepEqual(links, linksByParser(html, opt_out), JSON.stringify(html));
    assert.ok(body_end >= 0 && body_end <= html.length);
    found += links.length;
  }
  assert.ok(found > 20_000, `${found} links`);
});
