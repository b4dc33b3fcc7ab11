import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withUnsubscribeLink } from './unsubscribe-footer.ts';

const url = 'https://mail.acme.test/u/0190a1b2';
const content = (html: string | null, text: string | null = null) => ({ subject: 'News', html, text });

test('a broadcast without a link gets one before the end of its body, in the language of the template', () => {
  for (const [open, words] of [
    ['<html lang="es-CL">', 'Darse de baja'],
    ["<html lang='en'>", 'Unsubscribe'],
    ['<html>', 'Darse de baja · Unsubscribe'],
  ] as const) {
    const { html } = withUnsubscribeLink(content(`${open}<body><p>Hi</p></body></html>`), url);
    assert.match(
      html ?? '',
      new RegExp(`^${open}<body><p>Hi</p><p [^>]+><a href="${url}" [^>]+>${words}</a></p></body></html>$`),
    );
  }
});

test('a text gets the same line, and a message of text alone too', () => {
  const both = withUnsubscribeLink(content('<p lang="es">Hola</p>', 'Hola\n'), url);
  assert.equal(both.text, `Hola\n\nDarse de baja: ${url}\n`);
  assert.deepEqual(withUnsubscribeLink(content(null, 'Hi'), url), {
    subject: 'News',
    html: null,
    text: `Hi\n\nDarse de baja · Unsubscribe: ${url}\n`,
  });
});

test('a template that has the link is left as it is', () => {
  const own = content(`<p><a href="${url}">No more</a></p>`, 'Hi');
  assert.equal(withUnsubscribeLink(own, url), own);
});
