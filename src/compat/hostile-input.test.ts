import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Account, startAccepting } from '../accept/account.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openSwitching } from './compat-bed.fixture.ts';

let service: TestService;
let account: Account & { from: string };
let other: Account;
before(async () => {
  service = await startAccepting();
  account = await openSwitching(service);
  other = await openSwitching(service);
});
after(async () => await service.stop());

type Vendor = 'resend' | 'postmark' | 'sendgrid';
type Call = [vendor: Vendor, method: string, path: string, body?: unknown];

// oxlint-disable-next-line typescript/no-explicit-any
type Answered = { status: number; json: any };

async function ask([vendor, method, path, body]: Call, key = account.api_key): Promise<Answered> {
  const credential: Record<string, string> =
    vendor === 'postmark' ? { 'x-postmark-server-token': key } : { authorization: `Bearer ${key}` };
  const response = await fetch(`${service.base_url}/compat/${vendor}${path}`, {
    method,
    headers: { ...credential, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

const strange = ['%00', 'a%00@x.cl', 'constructor', '__proto__', '9007199254740991', "1'--", '%ED%A0%80'];

test('values in a path or a query are looked up as text, whatever they hold', async () => {
  for (const each of strange) {
    const calls: Call[] = [
      ...['emails', 'suppressions', 'domains', 'templates', 'webhooks'].flatMap((list): Call[] => [
        ['resend', 'GET', `/${list}/${each}`],
        ['resend', 'GET', `/${list}?after=${each}`],
      ]),
      ['resend', 'GET', `/suppressions?origin=${each}`],
      ...['bounces', 'templates', 'message-streams'].map((list): Call => [
        'postmark',
        'GET',
        `/${list}/${each}`,
      ]),
      ...['recipient', 'status', 'tag', 'subject', 'messagestream', `metadata_${each}`].map((name): Call => [
        'postmark',
        'GET',
        `/messages/outbound?${name}=${each}`,
      ]),
      ['postmark', 'GET', `/bounces?type=${each}`],
      ['postmark', 'GET', `/message-streams/outbound/suppressions/dump?emailaddress=${each}`],
      ['sendgrid', 'GET', `/v3/suppression/bounces/${each}`],
      ['sendgrid', 'GET', `/v3/suppression/bounces?email=${each}`],
      ['sendgrid', 'DELETE', `/v3/asm/suppressions/global/${each}`],
    ];
    for (const call of calls) {
      const { status } = await ask(call);
      assert.ok(status < 500, `${call.join(' ')}: ${status}`);
    }
  }
});

const injected = 'x\r\nBcc: victim@example.com';

test('no text of a mail becomes a header', async () => {
  const { from } = account;
  const to = 'delivered@sandbox.test';
  const email = { from, to, subject: 's', html: 'h' };
  const message = { From: from, To: to, Subject: 's', TextBody: 't' };
  const personalizations = [{ to: [{ email: to }] }];
  const content = [{ type: 'text/plain', value: 'x' }];
  const mail = { personalizations, from: { email: from }, subject: 's', content };
  const file = { filename: 'a', content: 'YQ==' };
  const calls: Call[] = [
    ...[
      { subject: injected },
      { from: `${injected} <${from}>` },
      { to: `"${injected}" <${to}>` },
      { reply_to: `${injected} <a@b.cl>` },
      { headers: { 'X-A': injected } },
      { headers: { [injected]: 'x' } },
      { attachments: [{ ...file, filename: injected }] },
      { attachments: [{ ...file, content_type: injected }] },
      { attachments: [{ ...file, content_id: injected }] },
    ].map((more): Call => ['resend', 'POST', '/emails', { ...email, ...more }]),
    ...[
      { Subject: injected },
      { From: `${injected} <${from}>` },
      { Headers: [{ Name: 'X-A', Value: injected }] },
      { Headers: [{ Name: injected, Value: 'x' }] },
      { Attachments: [{ Name: injected, Content: 'YQ==' }] },
      { Attachments: [{ Name: 'a', Content: 'YQ==', ContentID: injected }] },
    ].map((more): Call => ['postmark', 'POST', '/email', { ...message, ...more }]),
    ...[
      { subject: injected },
      { from: { email: from, name: injected } },
      { personalizations: [{ to: [{ email: to, name: injected }] }] },
      { headers: { 'X-A': injected } },
      { attachments: [{ ...file, type: injected }] },
    ].map((more): Call => ['sendgrid', 'POST', '/v3/mail/send', { ...mail, ...more }]),
  ];
  for (const call of calls) {
    const { status } = await ask(call);
    assert.ok(status >= 400 && status < 500, `${JSON.stringify(call)}: ${status}`);
  }
});

test('a key of another instance finds nothing', async () => {
  const { from } = account;
  const mail = { from, to: 'delivered@sandbox.test', subject: 's', html: 'x', scheduled_at: 'in 10 min' };
  const { id } = (await ask(['resend', 'POST', '/emails', mail])).json;
  const suppression = (await ask(['resend', 'POST', '/suppressions', { email: 'x@x.cl' }])).json.id;
  const [domain] = (await ask(['resend', 'GET', '/domains'])).json.data;
  const { json: template } = await account.api.post('/v1/mail-templates', {
    name: 'Theirs',
    subject: 'S',
    source: 'x',
    alias: 'theirs',
  });
  await account.api.post(`/v1/mail-templates/${template.id}/publish`);
  const own = `test@${other.instance.slug}.sandbox.test`;
  const templated = { from: own, to: 'delivered@sandbox.test', template: { id: String(template.id) } };
  const calls: Call[] = [
    ['resend', 'GET', `/emails/${id}`],
    ['resend', 'POST', `/emails/${id}/cancel`],
    ['resend', 'PATCH', `/emails/${id}`, { scheduled_at: 'in 1 hour' }],
    ['resend', 'GET', `/suppressions/${suppression}`],
    ['resend', 'DELETE', '/suppressions/x@x.cl'],
    ['resend', 'POST', '/suppressions/batch/remove', { ids: [suppression] }],
    ['resend', 'GET', `/domains/${domain.id}`],
    ['resend', 'GET', `/templates/${template.id}`],
    ['resend', 'GET', '/templates/theirs'],
    ['resend', 'POST', '/emails', templated],
    ['resend', 'POST', '/emails', mail],
    ['postmark', 'GET', `/messages/outbound/${id}/details`],
    ['postmark', 'GET', `/messages/outbound/${id}/dump`],
    ['postmark', 'GET', `/templates/${template.id}`],
    ['sendgrid', 'DELETE', '/v3/suppression/unsubscribes/x@x.cl'],
  ];
  for (const call of calls) {
    const { status } = await ask(call, other.api_key);
    assert.ok(status >= 400 && status < 500, `${call.slice(0, 3).join(' ')}: ${status}`);
  }
  assert.equal((await ask(['resend', 'GET', `/emails/${id}`])).json.last_event, 'scheduled');
});
