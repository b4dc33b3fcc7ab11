import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { elementsOf, linksByParser } from '../protocol/html/parse5-links.fixture.ts';
import { largeMessage, sampleMessages } from '../protocol/html/sample-messages.fixture.ts';
import type { SlottedText } from '../protocol/mime/outgoing-message.ts';
import { maxTrackedLinks, PersonalContent } from './personal-content.ts';
import { TrackingTokens } from './tracking-token.ts';

const mail_id = '019a84f2-7c00-7000-8000-2f6d1c3b5a7a';
const base_url = 'https://mail.platform.example';
const secret = new RootSecret('a root secret for tests, and for tests alone');
const [tokens, tracking] = [new MailTokens(secret), new TrackingTokens(secret)];
const everything = { track_opens: true, track_clicks: true, fill_placeholders: true };
const clicks = { track_opens: false, track_clicks: true, fill_placeholders: false };

function personal(html: string, switches = everything): string {
  const content = new PersonalContent({ tokens, tracking, base_url, instance_id: 7 });
  return filled(content.html(html, switches), content.valuesFor(mail_id));
}
function filled(pieces: SlottedText, values: (slot: number) => string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : values(piece.slot))).join('');
}

/** The text with every link of ours turned back into its target, the way out into its placeholder, no pixel. */
function undone(html: string): string {
  return html
    .replaceAll(/<img src="https:\/\/mail\.platform\.example\/o\/[^>]*>/g, '')
    .replaceAll(/https:\/\/mail\.platform\.example\/u\/[0-9a-f]{48}/g, '{{ unsubscribe_url }}')
    .replaceAll(
      /https:\/\/mail\.platform\.example\/c\/([\w-]+)/g,
      (_, token: string) => tracking.read(token)?.url ?? '?',
    );
}

/** The same of the original: its tracked links as a browser writes them. */
function normalised(html: string): string {
  let text = '';
  let at = 0;
  for (const [index, { start, end, url }] of linksByParser(html, 'data-chq-notrack').entries()) {
    const isTracked = index < maxTrackedLinks && /^\s*https?:\/\//i.test(url) && URL.canParse(url);
    text += html.slice(at, start) + (isTracked ? new URL(url).href : html.slice(start, end));
    at = end;
  }
  return text + html.slice(at);
}

for (const [name, html] of Object.entries({ ...sampleMessages, 'a megabyte': largeMessage() })) {
  test(`only links, pixel and way out differ, and doing it again changes nothing: ${name}`, () => {
    const once = personal(html);
    assert.equal(undone(once), normalised(html));
    assert.equal(personal(once), once);
    const pixels = elementsOf(once).filter(
      ({ tagName, attrs }) =>
        tagName === 'img' && attrs.some(({ value }) => value.startsWith(`${base_url}/o/`)),
    );
    assert.equal(pixels.length, 1);
  });
}

test('a message with both switches off is the same to the byte', () => {
  for (const html of Object.values(sampleMessages)) {
    assert.equal(personal(html, { track_opens: false, track_clicks: false, fill_placeholders: false }), html);
  }
});

test('a tracked link leads where a browser would go by the original', () => {
  const targetOf = (href: string): string | undefined => {
    const [, token = ''] = /\/c\/([\w-]+)/.exec(personal(`<a href="${href}">x</a>`, clicks)) ?? [];
    return tracking.read(token)?.url ?? undefined;
  };
  assert.equal(targetOf('https://a.test/?b=1&amp;c=2'), 'https://a.test/?b=1&c=2');
  assert.equal(targetOf(' HTTP://A.test:80/x y\n'), 'http://a.test/x%20y');
  assert.equal(targetOf('https://ñandú.test/ñ?ñ#ñ'), 'https://xn--and-6ma2c.test/%C3%B1?%C3%B1#%C3%B1');
});

test('does not change invalid URLs, our own links and links that opt out', () => {
  const left = [
    '<a href="mailto:a@b.test">',
    '<a href="tel:+562">',
    '<a href="sms:+562">',
    '<a href="#top">',
    '<a href="/relative">',
    '<a href="//host.test/">',
    '<a href="javascript:alert(1)">',
    '<a href="data:text/html,x">',
    '<a href="https://">',
    '<a href="https://a b/">',
    '<a href="https:a.test">',
    '<a href="">',
    '<a>',
    '<a href="https://a.test/?back={{ unsubscribe_url }}">',
    '<a data-chq-notrack href="https://a.test/">',
    `<a href="${base_url}/u/${'0'.repeat(48)}">`,
    `<a href="${base_url}/view/${'0'.repeat(48)}">`,
    `<a href="${base_url}/report/${'0'.repeat(48)}">`,
    `<a href="HTTPS://MAIL.platform.example:443/c/abc">`,
    `<a href="https://a.test/${'x'.repeat(1_500)}">`,
    '<link href="https://a.test/"><img src="https://a.test/"><form action="https://a.test/">',
    'https://a.test/',
  ];
  for (const html of left) assert.equal(personal(html, clicks), html);
  assert.notEqual(personal(`<a href="${base_url}/f/form">`, clicks), `<a href="${base_url}/f/form">`);
});

test('the way out is filled in wherever it stands, in HTML and in text', () => {
  const way = `${base_url}/u/${tokens.make('unsubscribe', mail_id)}`;
  const html = '<a href="{{unsubscribe_url}}">{{ unsubscribe_url }}</a><!-- {{  unsubscribe_url }} -->';
  const quiet = { track_opens: false, track_clicks: false, fill_placeholders: true };
  assert.equal(personal(html, quiet), `<a href="${way}">${way}</a><!-- ${way} -->`);
  const content = new PersonalContent({ tokens, tracking, base_url, instance_id: 7 });
  assert.equal(
    filled(content.text('Out: {{ unsubscribe_url }}', quiet), content.valuesFor(mail_id)),
    `Out: ${way}`,
  );
  const other = '{{ view_url }} {{ unsubscribe_urls }} {{ recipient.name }}';
  assert.equal(personal(other, quiet), other);
  assert.equal(personal(html, clicks), html, 'a template was filled in before');
});

test('each recipient has tokens of their own', () => {
  const content = new PersonalContent({ tokens, tracking, base_url, instance_id: 7 });
  const pieces = content.html('<a href="https://a.test/">x</a>', everything);
  const other = '019a84f2-7c00-7000-8000-2f6d1c3b5a7b';
  const [one, two] = [mail_id, other].map((id) => filled(pieces, content.valuesFor(id)));
  const mailsIn = (html = '') =>
    [...html.matchAll(/\/[oc]\/([\w-]+)/g)].map(([, token = '']) => tracking.read(token)?.mail_id);
  assert.deepEqual(mailsIn(one), [mail_id, mail_id]);
  assert.deepEqual(mailsIn(two), [other, other]);
});

test('the first of very many links are tracked, and the others keep their address', () => {
  const links = Array.from(
    { length: maxTrackedLinks + 5 },
    (_, index) => `<a href="https://a.test/${index}">`,
  );
  const html = personal(links.join(''), { ...everything, track_opens: false });
  assert.equal(html.match(/\/c\//g)?.length, maxTrackedLinks);
  assert.ok(html.endsWith(links.slice(-5).join('')));
});
