import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import { send, type RawAnswer } from '../../test/acceptance/raw-http.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import type { ErrorCode } from '../base/errors/catalogue.ts';
import {
  countMessages,
  insertSender,
  openAccount,
  startAccepting,
  type Account,
  type Body,
} from './account.fixture.ts';

let service: TestService;
/** Everything that can be refused at once: no subscription, a full plan, a narrow line. */
let poor: Account;
/** The same with a subscription. */
let full: Account;
/** Nothing but a narrow line. */
let narrow: Account;
before(async () => {
  service = await startAccepting();
  const line = { bandwidth_burst_bytes: 20_000, bandwidth_bytes_per_second: 1 };
  const plan = { plan_send_limit: 0, ...line };
  poor = await openAccount(service, { settings: { subscription_status: 'inactive', ...plan } });
  full = await openAccount(service, { settings: plan });
  narrow = await openAccount(service, { settings: line });
  await insertSender(service, {
    instance_id: narrow.instance.id,
    domain: 'unverified.example',
    status: 'pending',
  });
});
after(async () => await service.stop());

interface Attempt {
  account: Account;
  /** Headers instead of the right ones. */
  headers?: Record<string, string>;
  body?: Body;
  content_type?: string;
  /** Announced, and not sent. */
  content_length?: number;
}

async function attempt({
  account,
  headers,
  body,
  content_type,
  content_length,
}: Attempt): Promise<RawAnswer> {
  return await send(service.base_url, {
    method: 'POST',
    path: '/v1/mails/send',
    headers: {
      ...(headers ?? account.headers),
      'content-type': content_type ?? 'application/json',
      ...(content_length === undefined ? {} : { 'content-length': String(content_length) }),
    },
    ...(content_length === undefined ? { body: JSON.stringify(account.mail(body)) } : {}),
  });
}

const over = 20 * 1024 * 1024 + 1;
const out: Body = { to: [{ email: 'ana@example.com' }] };
const stranger: Body = { ...out, sender_email: 'nobody@example.com' };
const template: Body = { template_id: 999_999_999, subject: undefined, html: undefined };
const heavy: Body = { html: 'x'.repeat(30_000), text: 'x' };

/** Every request here has a second reason to be refused, the next in the order; it is told when the first is gone. */
const order: [string, ErrorCode, () => Promise<Attempt>][] = [
  [
    'without credentials, of any size',
    'unauthorized',
    async () => ({ account: poor, headers: {}, content_length: over }),
  ],
  [
    'with a wrong slug and without the scope',
    'unauthorized',
    async () => {
      const account = await openAccount(service, { scopes: ['field:read'] });
      return { account, headers: { ...account.headers, 'x-instance-slug': 'other' } };
    },
  ],
  [
    'without the scope, and too large',
    'forbidden',
    async () => ({ account: await openAccount(service, { scopes: ['field:read'] }), content_length: over }),
  ],
  [
    'too large, and of a wrong type',
    'request_too_large',
    async () => ({ account: poor, content_type: 'text/plain', content_length: over }),
  ],
  [
    'of a wrong type, and with mistakes',
    'unsupported_media_type',
    async () => ({ account: poor, content_type: 'text/plain', body: { subject: '' } }),
  ],
  [
    'with mistakes, and without a subscription',
    'validation_error',
    async () => ({ account: poor, body: { ...stranger, subject: '' } }),
  ],
  [
    'without a subscription, and over the plan',
    'subscription_inactive',
    async () => ({ account: poor, body: stranger }),
  ],
  ['over the plan, from nobody', 'plan_send_limit_exceeded', async () => ({ account: full, body: stranger })],
  [
    'over the plan, and out of the sandbox',
    'plan_send_limit_exceeded',
    async () => ({ account: full, body: out }),
  ],
  [
    'from nobody, with an unknown template',
    'sender_not_found',
    async () => ({ account: narrow, body: { ...stranger, ...template } }),
  ],
  [
    'with an unknown template, and out of the sandbox',
    'mail_template_not_found',
    async () => ({ account: narrow, body: { ...out, ...template } }),
  ],
  [
    'out of the sandbox, and over the burst',
    'sandbox_relay_restricted',
    async () => ({ account: narrow, body: { ...out, ...heavy } }),
  ],
  [
    'from an unverified domain with a draft',
    'domain_sender_not_verified',
    async () => ({
      account: narrow,
      body: { ...template, template_id: await draft(narrow), sender_email: 'hola@unverified.example' },
    }),
  ],
  [
    'from a draft, and over the burst',
    'template_not_public',
    async () => ({ account: narrow, body: { ...template, template_id: await draft(narrow, heavy) } }),
  ],
  ['over the burst', 'request_too_large', async () => ({ account: narrow, body: heavy })],
];

async function draft({ instance }: Account, { html = '<p>x</p>' }: Body = {}): Promise<number> {
  const [row] = await service.db.query<{ id: number }>(
    `insert into mail_templates (instance_id, name, subject, editor, source, html)
     values ($1, 'Draft', 'Hello', 'html', $2, $2) returning id`,
    [instance.id, html],
  );
  return row?.id ?? 0;
}

for (const [what, code, prepare] of order) {
  test(`a send ${what} is refused with ${code}`, async () => {
    const given = await prepare();
    assertProblem(await attempt(given), code);
    assert.equal(await countMessages(given.account), 0);
  });
}

test('a send that is refused for its content uses neither plan nor bandwidth', async () => {
  const settings = { plan_send_limit: 1, bandwidth_burst_bytes: 20_000, bandwidth_bytes_per_second: 1 };
  const account = await openAccount(service, { settings });
  for (const body of [
    stranger,
    { ...out, ...template },
    out,
    { ...out, ...heavy, sender_email: account.sender.email },
  ]) {
    assert.notEqual((await account.send(body)).status, 200);
  }
  assert.equal((await account.sendOut(1)).status, 200);
});
