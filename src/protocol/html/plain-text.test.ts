import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainTextOf } from './plain-text.ts';
import { stripTags } from '../mime/strip-tags.ts';

test('HTML becomes text a person can read', () => {
  const html = `<html><head><title>T</title><style>p { color: red }</style></head><body>
    <h1>Hello {{ recipient.name }}</h1><p>One &amp; <b>two</b>,<br>three.</p>
    <p><a href="https://example.com/a">Read on</a> <img src="x.png" alt="logo"></p></body></html>`;
  assert.equal(
    plainTextOf(html),
    'Hello {{ recipient.name }}\n\nOne & two,\nthree.\n\nRead on [https://example.com/a]',
  );
});

test('plain text of HTML has one line per block and no hidden text', () => {
  const cases: [string, string][] = [
    ['<p>Hello &amp; <b>wor</b>ld &#241; &#x1F600;</p><p>2 < 3</p>', 'Hello & world ñ 😀\n2 < 3'],
    ['<!doctype html><!-- a > b --><ul><li>x<li>y</ul>', 'x\ny'],
    ['<STYLE>p{}</Style><script>if (a<b) x("</p>")</script>z', 'z'],
    ['<head><title>T</title></head><body>x</body>', 'x'],
    ['  a \n\n <div> </div>  b\u00a0c ', 'a\nb c'],
    ['a<br/>b<p', 'a\nb'],
    ['a<style>b', 'a'],
    ['a<!-- b', 'a'],
    ['&#xd800;&#0;&bogus;', '&bogus;'],
    ['', ''],
  ];
  for (const [html, expected] of cases) assert.equal(stripTags(html), expected, html);
});

const mebibyte = 1024 * 1024;
const filled = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));

test('text is never much longer than its HTML, and hostile HTML is converted too', () => {
  const hostile = [
    ...['<div>', '<hr>', '<ul><li>', '<a href=x>', '<p><b>', '</p>', '<td>', '<', '&nGt;', '<!--'].map(
      (text) => filled(text, 200 * 1024),
    ),
    `${'<blockquote>'.repeat(90)}${filled('a<br>', 50 * 1024)}`,
    ...['<div>', '<style>', '<p>ñ</p>', '<', '&amp;', ' ', '<!', 'a '].map((text) =>
      filled(text, 5 * mebibyte),
    ),
  ];
  for (const html of hostile) {
    const began = process.cpuUsage();
    const text = plainTextOf(html);
    const elapsed = process.cpuUsage(began).user / 1000;
    assert.ok(text.length <= html.length + 1_000, `${html.slice(0, 20)}: ${text.length} of ${html.length}`);
    assert.ok(elapsed < 10_000, `${html.slice(0, 20)} took ${elapsed} ms`);
  }
});
