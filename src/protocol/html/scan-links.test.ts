import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksByParser } from './parse5-links.fixture.ts';
import { largeMessage, sampleMessages } from './sample-messages.fixture.ts';
import { scanLinks } from './scan-links.ts';

const opt_out = 'data-chq-notrack';
const urlsIn = (html: string): string[] => scanLinks(html, { opt_out }).links.map(({ url }) => url);

for (const [name, html] of Object.entries(sampleMessages)) {
  test(`links are those that a whole parser finds: ${name}`, () => {
    assert.deepEqual(scanLinks(html, { opt_out }).links, linksByParser(html, opt_out));
  });
}

test('links are those that a whole parser finds: a megabyte', () => {
  const html = largeMessage();
  const { links } = scanLinks(html, { opt_out });
  assert.equal(links.length, 7_000);
  assert.deepEqual(links, linksByParser(html, opt_out));
});

test('an offset pair holds the value as it is written, whatever its quotes', () => {
  const html = `<a href="https://a.test/">1</a><a href = 'https://b.test/'>2</a><AREA HREF=https://c.test/>`;
  const written = scanLinks(html, { opt_out }).links.map(({ start, end }) => html.slice(start, end));
  assert.deepEqual(written, ['https://a.test/', 'https://b.test/', 'https://c.test/']);
});

test('character references are decoded as in an attribute', () => {
  const urlOf = (value: string): string | undefined => urlsIn(`<a href="${value}">`)[0];
  assert.equal(urlOf('https://a.test/?a=1&amp;b=2&lt=3&lt;4&#38;&#x26;'), 'https://a.test/?a=1&b=2&lt=3<4&&');
  assert.equal(
    urlOf('https://a.test/?a=1&copy=2&copyright=3&copy'),
    'https://a.test/?a=1&copy=2&copyright=3©',
  );
  assert.equal(urlOf('https&colon;&sol;&sol;a.test'), 'https://a.test');
});

test('does not change a link with an unknown reference', () => {
  for (const value of [
    '&notin;',
    '&nothing;',
    '&#0;',
    '&#x80;',
    '&#xd800;',
    '&#x110000;',
    `&#${'9'.repeat(400)};`,
  ]) {
    assert.deepEqual(urlsIn(`<a href="https://a.test/${value}"><a href="https://b.test/">`), [
      'https://b.test/',
    ]);
  }
});

test('content goes before the last </body> that is one', () => {
  const endOf = (html: string): string => html.slice(scanLinks(html, { opt_out }).body_end);
  assert.equal(endOf('<body>a</BODY\n></html>'), '</BODY\n></html>');
  assert.equal(endOf('<body>a</body>b</body><!-- </body> -->'), '</body><!-- </body> -->');
  assert.equal(endOf('<script>"</body>"</script>a'), '');
  assert.equal(endOf('a</bodyguard>'), '');
  assert.equal(endOf(''), '');
});

test('content never goes into what the end of the document left open', () => {
  const endOf = (html: string): string => html.slice(scanLinks(html, { opt_out }).body_end);
  for (const open of [
    '<!-- a',
    '<textarea>a',
    '<title>',
    '<script>a',
    '<plaintext>a',
    '<a href="b',
    '</p',
    '</',
    '<!x',
  ]) {
    assert.equal(endOf(`<p>a</p>${open}`), open);
  }
});

test('time grows with the length of the text and with nothing else', () => {
  const hostile = [
    '<',
    '<a ',
    '<a href="',
    "<a href='x'",
    '<!--',
    '<!--a-->',
    '--',
    '</',
    '<script>',
    '<script><!--<script>',
    '<title>',
    '</title',
    '<svg>',
    '<svg><![CDATA[',
    '&',
    '<a href="https://x/?&amp',
    '<a =',
    '<a href=x&',
    '</body',
    '<a href="">',
  ];
  for (const piece of hostile) {
    const html = piece.repeat(2_000_000 / piece.length);
    const started = process.cpuUsage();
    scanLinks(html, { opt_out });
    const took = process.cpuUsage(started).user / 1_000;
    // A quadratic pass over two megabytes would take minutes.
    assert.ok(took < 3_000, `${took} ms for ${piece}`);
  }
});
