import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countMessages, insertSender } from '../../accept/account.fixture.ts';
import { scopes } from '../../base/http/access.ts';
import {
  keyWith,
  openSwitching,
  setInstance,
  storedAttachments,
  storedMarks,
  storedMessage,
} from '../compat-bed.fixture.ts';
import * as bed from './sendgrid-bed.fixture.ts';

let service: bed.SendGridBed['service'];
let account: bed.SendGridBed['account'];
let sendgrid: bed.Client;
before(async () => {
  ({ service, account, sendgrid } = await bed.startSendGrid());
});
after(async () => await service.stop());

const clientOf = (key: string): bed.Client => bed.clientOf(service, key);
const mail = (more: object = {}): bed.MailData => bed.mailFrom(account.from, more);
const sent = async (data: bed.MailData | bed.MailData[], client = sendgrid): Promise<string[]> =>
  await bed.sent(service, client, data);
const refused = async (data: object, wanted: bed.Wanted, client = sendgrid): Promise<void> =>
  await bed.refused(client, data, wanted);

test('a mail is sent with everything that the client can say of it', async () => {
  const [id = ''] = await sent(
    mail({
      to: [{ email: 'luis@sandbox.test', name: 'Luis' }, 'eva@sandbox.test'],
      cc: 'cc@sandbox.test',
      bcc: 'bcc@sandbox.test',
      replyToList: [{ email: 'help@example.com', name: 'Help' }, { email: 'sales@example.com' }],
      text: 'Plain',
      headers: { 'X-Other': '1', 'Message-ID': '<x@y>' },
      categories: ['Welcome', 'Spring Sale'],
      customArgs: { user: 'u_1' },
      trackingSettings: {
        clickTracking: { enable: false, enableText: false },
        openTracking: { enable: false },
      },
      attachments: [
        { filename: 'a.txt', content: 'b25l', type: 'text/plain', disposition: 'attachment' },
        { filename: 'logo.png', content: 'dHdv', disposition: 'inline', contentId: 'logo' },
      ],
    }),
  );
  const { envelope, html, text } = await storedMessage(service, id);
  assert.deepEqual(envelope.from, { address: account.from, name: 'Ana Pérez' });
  assert.deepEqual(envelope.to, [
    { address: 'luis@sandbox.test', name: 'Luis' },
    { address: 'eva@sandbox.test' },
  ]);
  assert.deepEqual(envelope.reply_to, [
    { address: 'help@example.com', name: 'Help' },
    { address: 'sales@example.com' },
  ]);
  assert.deepEqual(envelope.headers, [['X-Other', '1']]);
  assert.deepEqual(envelope.untracked, ['opens', 'clicks']);
  assert.deepEqual([html, text], ['<p>Hi</p>', 'Plain']);
  const { category, tags } = await storedMarks(service, id);
  assert.equal(category, 'welcome');
  assert.deepEqual(tags, { category: 'Welcome', 'category.2': 'Spring Sale', user: 'u_1' });
  assert.deepEqual(await storedAttachments(service, id), [
    { type: 'text/plain', filename: 'a.txt', text: 'one', content_id: null, disposition: 'attachment' },
    { type: 'image/png', filename: 'logo.png', text: 'two', content_id: 'logo', disposition: 'inline' },
  ]);
});

test('each personalization is a message of its own', async () => {
  const [first = '', second = ''] = await sent(
    mail({
      to: undefined,
      personalizations: [
        { to: 'a@sandbox.test', subject: 'One', customArgs: { n: '1' }, headers: { 'X-N': '1' } },
        {
          to: [{ email: 'b@sandbox.test' }],
          cc: 'c@sandbox.test',
          sendAt: Math.ceil(Date.now() / 1000) + 3600,
        },
      ],
      customArgs: { n: '0', all: 'x' },
    }),
  );
  const one = await storedMarks(service, first);
  assert.deepEqual([one.subject, one.tags, one.schedule_at], ['One', { n: '1', all: 'x' }, null]);
  assert.deepEqual((await storedMessage(service, first)).envelope.headers, [['X-N', '1']]);
  const two = await storedMarks(service, second);
  assert.deepEqual([two.subject, two.tags], ['Hello', { n: '0', all: 'x' }]);
  assert.ok(two.schedule_at && two.schedule_at.getTime() > Date.now() + 3_500_000);
  assert.deepEqual((await storedMessage(service, second)).envelope.cc, [{ address: 'c@sandbox.test' }]);
});

test('a thousand personalizations are one call', async () => {
  const to = Array.from({ length: 1_000 }, (_, index) => `p${index}@sandbox.test`);
  const [response] = await sendgrid.sendMultiple(mail({ to }));
  assert.equal(response.statusCode, 202);
  const [row] = await service.db.query<{ count: number }>(
    'select count(distinct msg_id) from mails where custom_group_code = $1',
    [(response.headers as Record<string, string>)['x-message-id']],
  );
  assert.equal(row?.count, 1_000);
  const more = Array.from({ length: 1_001 }, (_, index) => ({ to: `p${index}@sandbox.test` }));
  await refused(mail({ to: undefined, personalizations: more }), {
    status: 400,
    field: 'personalizations',
    message: /at most 1000/,
  });
});

test('one refused personalization refuses the call', async () => {
  const beforeCount = await countMessages(account);
  const personalizations = [{ to: 'a@sandbox.test' }, { to: 'b@sandbox.test', from: 'x@unknown.example' }];
  await refused(mail({ to: undefined, personalizations }), { status: 403, field: 'from', message: /sender/ });
  assert.equal(await countMessages(account), beforeCount);
});

test('a template is filled with the data of each personalization', async () => {
  const { json } = await account.api.post('/v1/mail-templates', {
    name: 'Welcome',
    subject: 'Hi {{ name }}',
    source: '<p>{{ name }}</p>',
    alias: 'd-welcome',
  });
  await account.api.post(`/v1/mail-templates/${json.id}/publish`);
  const of = (name: string) => ({ to: `${name}@sandbox.test`, dynamicTemplateData: { name } });
  const ids = await sent({
    from: account.from,
    templateId: `d-${json.id}`,
    personalizations: [of('ana'), of('eva')],
  });
  const subjects = await Promise.all(ids.map(async (id) => (await storedMarks(service, id)).subject));
  assert.deepEqual(subjects, ['Hi ana', 'Hi eva']);
  const [byAlias = ''] = await sent({
    from: account.from,
    templateId: 'd-welcome',
    personalizations: [of('luis')],
  });
  assert.equal((await storedMarks(service, byAlias)).subject, 'Hi luis');
  await refused(
    { from: account.from, to: 'a@sandbox.test', templateId: 'd-999999999' },
    { status: 400, field: 'template_id', message: /template/ },
  );
});

test('the sandbox mode sends nothing, and validates', async () => {
  const beforeCount = await countMessages(account);
  const [response] = await sendgrid.send(mail({ mailSettings: { sandboxMode: { enable: true } } }));
  assert.equal(response.statusCode, 200);
  await refused(mail({ to: 'nobody', mailSettings: { sandboxMode: { enable: true } } }), {
    status: 400,
    field: 'personalizations.0.to.0.email',
    message: /valid address/,
  });
  assert.equal(await countMessages(account), beforeCount);
});

test('a repeated call sends nothing again', async () => {
  const post = async (subject: string) => {
    const { api_key } = account;
    return await fetch(`${service.base_url}/v3/mail/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api_key}`,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: JSON.stringify({
        from: { email: account.from },
        personalizations: [{ to: [{ email: 'a@sandbox.test' }] }],
        subject,
        content: [{ type: 'text/plain', value: 'x' }],
      }),
    });
  };
  const first = await post('x');
  const again = await post('x');
  assert.equal(first.status, 202);
  assert.equal(again.headers.get('x-message-id'), first.headers.get('x-message-id'));
  assert.equal((await post('y')).status, 409);
});

test('a key without the right to send is refused with the reason', async () => {
  const reader = await keyWith(account, { scopes: ['mail:read'] });
  await refused(mail(), { status: 401, message: /authorization grant is invalid/ }, clientOf('SG.x'));
  await refused(mail(), { status: 403, message: /access forbidden/ }, clientOf(reader));
  const sandbox = await keyWith(account, { scopes: [...scopes], sandbox_only: true });
  const out = { ...mail({ to: 'a@example.com' }), from: account.sender.email };
  await refused(out, { status: 403, message: /sandbox/ }, clientOf(sandbox));
  const other = await openSwitching(service);
  await setInstance(service, other.instance.id, { plan_send_limit: 0 });
  const beyond = { from: other.sender.email, to: 'a@example.com', subject: 'x', text: 'x' };
  await refused(beyond, { status: 403, message: /plan/ }, clientOf(other.api_key));
  const behalf = await fetch(`${service.base_url}/v3/mail/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.api_key}`,
      'content-type': 'application/json',
      'on-behalf-of': 'sub',
    },
    body: '{}',
  });
  assert.equal(behalf.status, 403);
});

test('a key that calls too often is told when to come back', async () => {
  const other = await openSwitching(service);
  await setInstance(service, other.instance.id, { requests_per_second: 1, requests_burst: 1 });
  const get = async () =>
    await fetch(`${service.base_url}/v3/suppression/blocks`, {
      headers: { authorization: `Bearer ${other.api_key}` },
    });
  let answer = await get();
  for (let call = 0; call < 100 && answer.status === 200; call += 1) answer = await get();
  assert.equal(answer.status, 429);
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
});

test('an invalid mail is refused with the name of its field', async () => {
  const { email } = await insertSender(service, {
    instance_id: account.instance.id,
    domain: 'unverified-sendgrid.example',
    status: 'pending',
  });
  const bypass = (name: string) => ({ mailSettings: { [name]: { enable: true } } });
  const file = (more: object) => ({ attachments: [{ filename: 'a.txt', content: 'YQ==', ...more }] });
  const cases: [object, bed.Wanted][] = [
    [{ from: 'x@unknown.example' }, { status: 403, field: 'from', message: /sender/ }],
    [{ from: email }, { status: 403, field: 'from', message: /not verified/ }],
    [{ to: 'someone@example.com' }, { status: 403, message: /sandbox/ }],
    [{ from: 'nobody' }, { status: 400, field: 'from.email', message: /valid address/ }],
    [
      { to: ['a@x.cl', 'nobody'] },
      { status: 400, field: 'personalizations.0.to.1.email', message: /nobody/ },
    ],
    [{ subject: '' }, { status: 400, field: 'personalizations.0.subject', message: /required/ }],
    [{ html: undefined }, { status: 400, field: 'content', message: /required/ }],
    [
      { html: undefined, content: [{ type: 'text/calendar', value: 'x' }] },
      { status: 400, field: 'content.0.type', message: /text\/calendar/ },
    ],
    [
      { to: Array.from({ length: 51 }, (_, index) => `a${index}@sandbox.test`) },
      { status: 400, field: 'personalizations.0.to', message: /50 recipients/ },
    ],
    [
      { substitutions: { a: 'b' } },
      { status: 400, field: 'personalizations.0.substitutions', message: /Legacy/ },
    ],
    [{ sections: { a: 'b' } }, { status: 400, field: 'sections', message: /Legacy/ }],
    [{ batchId: 'b' }, { status: 400, field: 'batch_id', message: /Batches/ }],
    [{ asm: { groupId: 1 } }, { status: 400, field: 'asm', message: /groups/ }],
    [{ ipPoolName: 'p' }, { status: 400, field: 'ip_pool_name', message: /pool/ }],
    [bypass('bypassListManagement'), { status: 400, message: /cannot be bypassed/ }],
    [bypass('bypassSpamManagement'), { status: 400, message: /cannot be bypassed/ }],
    [bypass('bypassBounceManagement'), { status: 400, message: /cannot be bypassed/ }],
    [bypass('bypassUnsubscribeManagement'), { status: 400, message: /cannot be bypassed/ }],
    [bypass('footer'), { status: 400, field: 'mail_settings.footer.enable', message: /footer/ }],
    [bypass('spamCheck'), { status: 400, field: 'mail_settings.spam_check.enable', message: /spam_check/ }],
    [bypass('bcc'), { status: 400, field: 'mail_settings.bcc.enable', message: /bcc/ }],
    [
      { trackingSettings: { clickTracking: { enable: true, enableText: true } } },
      { status: 400, field: 'tracking_settings.click_tracking.enable_text', message: /never tracked/ },
    ],
    [
      { trackingSettings: { subscriptionTracking: { enable: true } } },
      { status: 400, field: 'tracking_settings.subscription_tracking.enable', message: /unsubscribe_url/ },
    ],
    [
      { trackingSettings: { ganalytics: { enable: true } } },
      { status: 400, field: 'tracking_settings.ganalytics.enable', message: /URLs/ },
    ],
    [
      { trackingSettings: { openTracking: { enable: true, substitutionTag: '%p%' } } },
      { status: 400, field: 'tracking_settings.open_tracking.substitution_tag', message: /pixel/ },
    ],
    [{ customArgs: { 'no good': 'x' } }, { status: 400, message: /pattern/ }],
    [
      { categories: ['a'], customArgs: { category: 'x' } },
      { status: 400, field: 'custom_args.category', message: /taken/ },
    ],
    [
      { headers: { 'List-Unsubscribe': 'x' } },
      { status: 400, field: 'headers.List-Unsubscribe', message: /service/ },
    ],
    [file({ content: 'no base64!' }), { status: 400, field: 'attachments.0.content', message: /base64/ }],
    [
      file({ content: Buffer.alloc(1_048_577).toString('base64') }),
      { status: 400, field: 'attachments', message: /at most 1048576/ },
    ],
  ];
  const beforeCount = await countMessages(account);
  for (const [changes, wanted] of cases) await refused(mail(changes), wanted);
  assert.equal(await countMessages(account), beforeCount);
  // Settings that are off ask for nothing.
  const off = { enable: false };
  await sent(
    mail({ mailSettings: { footer: off, bypassListManagement: off }, trackingSettings: { ganalytics: off } }),
  );
});

test('content that would be stored too often is refused before it is', async () => {
  const to = Array.from({ length: 1_000 }, (_, index) => `p${index}@sandbox.test`);
  const error = await sendgrid.sendMultiple(mail({ to, html: 'x'.repeat(70_000) })).then(
    () => assert.fail('it was accepted'),
    (thrown: unknown) => thrown as bed.ResponseError,
  );
  assert.equal(error.code, 413);
});

test('suppressions are read, added and deleted', async () => {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(service.base_url + path, {
      method,
      headers: { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  const { instance } = account;
  await service.db.query(
    `insert into restrictions (instance_id, recipient, reason, detail) values
       ($1, 'hard@x.cl', 'hard_bounce', '550 5.1.1 no such user'), ($1, 'spam@x.cl', 'complaint', null)`,
    [instance.id],
  );
  const bounces = await call('GET', '/v3/suppression/bounces');
  const [bounce] = bounces.json as { created: number; email: string; reason: string; status: string }[];
  assert.ok(bounce && Math.abs(bounce.created - Date.now() / 1000) < 60);
  assert.deepEqual(
    [bounce.email, bounce.reason, bounce.status],
    ['hard@x.cl', '550 5.1.1 no such user', '5.1.1'],
  );
  assert.deepEqual((await call('GET', '/v3/suppression/bounces?start_time=1&end_time=2')).json, []);
  assert.deepEqual((await call('GET', '/v3/suppression/bounces?offset=1')).json, []);
  assert.deepEqual((await call('GET', '/v3/suppression/blocks')).json, []);
  assert.equal(((await call('GET', '/v3/suppression/spam_reports/SPAM@x.cl')).json as object[]).length, 1);
  const added = await call('POST', '/v3/asm/suppressions/global', {
    recipient_emails: ['left@sandbox.test'],
  });
  assert.deepEqual([added.status, added.json], [201, { recipient_emails: ['left@sandbox.test'] }]);
  const global = '/v3/asm/suppressions/global/left@sandbox.test';
  assert.deepEqual((await call('GET', global)).json, { recipient_email: 'left@sandbox.test' });
  assert.equal(((await call('GET', '/v3/suppression/unsubscribes')).json as object[]).length, 1);
  const [id = ''] = await sent(mail({ to: 'left@sandbox.test' }));
  const [row] = await service.db.query<{ status: number }>('select status from mails where msg_id = $1', [
    id,
  ]);
  assert.equal(row?.status, 4);
  assert.equal((await call('DELETE', global)).status, 204);
  assert.deepEqual((await call('GET', global)).json, {});
  assert.equal((await call('DELETE', global)).status, 404);
  assert.equal((await call('DELETE', '/v3/suppression/bounces/spam@x.cl')).status, 404);
  assert.equal((await call('DELETE', '/v3/suppression/bounces', { delete_all: true })).status, 400);
  assert.equal((await call('DELETE', '/v3/suppression/bounces', { emails: ['hard@x.cl'] })).status, 204);
  assert.equal((await call('DELETE', '/v3/suppression/spam_reports/spam@x.cl')).status, 204);
  assert.deepEqual((await call('GET', '/v3/suppression/bounces')).json, []);
});

test('a path that is not served is named, in the form of the service', async () => {
  for (const [path, message] of [
    ['/v3/marketing/contacts', /marketing/],
    ['/v3/templates', /templates/],
    ['/v3/stats', /statistics/],
    ['/v3/mail/batch', /batches/],
    ['/v3/user/scheduled_sends', /scheduled sends/],
    ['/v3/asm/groups', /groups/],
    ['/v3/suppression/invalid_emails', /invalid emails/],
    ['/v3/anything', /this path/],
  ] as const) {
    const response = await fetch(service.base_url + path);
    const { errors } = (await response.json()) as { errors: { message: string }[] };
    assert.equal(response.status, 404, path);
    assert.match(errors[0]?.message ?? '', message);
  }
  const get = await fetch(`${service.base_url}/v3/mail/send`);
  assert.equal(get.status, 405);
});
