import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMachine } from './machine-visitor.ts';

const visit = (agent: string | undefined, more: Record<string, string> = {}, method = 'GET') => ({
  method,
  headers: { ...(agent === undefined ? {} : { 'user-agent': agent }), ...more },
});
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

const people = [
  chrome,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C; Microsoft Outlook 16.0.5134; ms-office; MSOffice 16)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)',
  'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.6.0',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_NOTE_S) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120 Mobile Safari/537.36',
  'Dalvik/2.1.0 (Linux; U; Android 13; SM-A536B)',
];
test('browsers and mail programs are people', () => {
  for (const agent of people) {
    assert.equal(isMachine('opened', visit(agent)), false, agent);
    assert.equal(isMachine('clicked', visit(agent)), false, agent);
  }
});

test('an image proxy fetches for a person, and follows no links', () => {
  const proxies = [
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  ];
  for (const agent of proxies) {
    assert.equal(isMachine('opened', visit(agent)), false, agent);
    assert.equal(isMachine('clicked', visit(agent)), true, agent);
  }
});

const machines = [
  undefined,
  '',
  'Mozilla/5.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1',
  'WhatsApp/2.23.20.0',
  'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5',
  'Barracuda Sentinel (EE)',
  'Mimecast-URL-Scanner/1.0',
  'Proofpoint URL Defense',
  'Microsoft Office Existence Discovery',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120.0.0.0 Safari/537.36',
  'curl/8.5.0',
  'Wget/1.21',
  'python-requests/2.31.0',
  'Go-http-client/2.0',
  'Java/17.0.2',
  'Apache-HttpClient/4.5.14 (Java/17)',
  'libwww-perl/6.67',
  'axios/1.6.0',
];
test('privacy proxies, scanners, crawlers, libraries and those without a name are machines', () => {
  for (const agent of machines) assert.equal(isMachine('opened', visit(agent)), true, String(agent));
});

test('a prefetch or a HEAD request is a machine, whatever its User-Agent', () => {
  const ahead = [
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ];
  for (const header of ahead) assert.equal(isMachine('clicked', visit(chrome, header)), true);
  assert.equal(isMachine('clicked', visit(chrome, { purpose: 'navigate' })), false);
  assert.equal(isMachine('clicked', visit(chrome, {}, 'HEAD')), true);
});
