import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Errors, type Models, type ServerClient } from 'postmark';
import { countMessages, insertSender } from '../../accept/account.fixture.ts';
import {
  keyWith,
  openSwitching,
  setInstance,
  storedAttachments,
  storedMarks,
  storedMessage,
} from '../compat-bed.fixture.ts';
import { mailFrom, refused, type PostmarkBed, startPostmark, type Wanted } from './postmark-bed.fixture.ts';

let service: PostmarkBed['service'];
let account: PostmarkBed['account'];
let clientOf: PostmarkBed['clientOf'];
let postmark: ServerClient;
before(async () => {
  ({ service, account, clientOf } = await startPostmark());
  postmark = clientOf(account.api_key);
});
after(async () => await service.stop());
const mail = (more: Partial<Models.Message> = {}) => mailFrom(account.from, more);

test('a mail is sent with everything that the client can say of it', async () => {
  const sent = await postmark.sendEmail({
    From: `"Pérez, Ana" <${account.from}>`,
    To: 'Luis <luis@sandbox.test>, eva@sandbox.test',
    Cc: 'cc@sandbox.test',
    Bcc: 'bcc@sandbox.test',
    ReplyTo: 'help@example.com, Sales <sales@example.com>',
    Subject: 'All of it',
    HtmlBody: '<p><img src="cid:logo"></p>',
    TextBody: 'Plain',
    Tag: 'Welcome mail',
    Metadata: { user: 'u_1', order: '1001' },
    TrackOpens: false,
    TrackLinks: 'None' as Models.LinkTrackingOptions,
    MessageStream: 'outbound',
    Headers: [{ Name: 'X-Other', Value: '1' }],
    Attachments: [
      { Name: 'a.txt', Content: 'b25l', ContentType: 'text/plain; charset=utf-8', ContentID: null },
      { Name: 'logo.png', Content: 'dH\r\ndv\n', ContentType: 'image/png', ContentID: 'cid:logo' },
    ],
  });
  assert.equal(sent.ErrorCode, 0);
  assert.equal(sent.Message, 'OK');
  assert.equal(sent.To, 'Luis <luis@sandbox.test>, eva@sandbox.test');
  assert.equal(sent.Cc, 'cc@sandbox.test');
  assert.ok(Math.abs(Date.now() - new Date(sent.SubmittedAt).getTime()) < 60_000);
  const { envelope, html, text } = await storedMessage(service, sent.MessageID);
  assert.deepEqual(envelope.from, { address: account.from, name: 'Pérez, Ana' });
  assert.deepEqual(envelope.to, [
    { address: 'luis@sandbox.test', name: 'Luis' },
    { address: 'eva@sandbox.test' },
  ]);
  assert.deepEqual(envelope.reply_to, [
    { address: 'help@example.com' },
    { address: 'sales@example.com', name: 'Sales' },
  ]);
  assert.deepEqual(envelope.headers, [['X-Other', '1']]);
  assert.deepEqual(envelope.untracked, ['opens', 'clicks']);
  assert.deepEqual([html, text], ['<p><img src="cid:logo"></p>', 'Plain']);
  const { category, tags } = await storedMarks(service, sent.MessageID);
  assert.equal(category, 'welcome-mail');
  assert.deepEqual(tags, { Tag: 'Welcome mail', user: 'u_1', order: '1001' });
  assert.deepEqual(await storedAttachments(service, sent.MessageID), [
    { type: 'text/plain', filename: 'a.txt', text: 'one', content_id: null, disposition: null },
    { type: 'image/png', filename: 'logo.png', text: 'two', content_id: 'logo', disposition: null },
  ]);
});

test('a mail can be text only, and a framework sends empty members along', async () => {
  const { MessageID } = await postmark.sendEmail({
    From: account.from,
    To: 'a@sandbox.test',
    Cc: '',
    Bcc: '',
    ReplyTo: '',
    Subject: 'T',
    TextBody: 'Only text',
    HtmlBody: null as never,
    Attachments: [],
  });
  assert.deepEqual(await storedMessage(service, MessageID).then(({ html, text }) => [html, text]), [
    null,
    'Only text',
  ]);
});

test('a batch tells what became of each message, in its order', async () => {
  const answers = await postmark.sendEmailBatch([
    mail({ Subject: '1' }),
    mail({ To: 'nobody' }),
    mail({ From: 'x@unknown.example' }),
    mail({ Subject: '4' }),
  ]);
  assert.deepEqual(
    answers.map(({ ErrorCode }) => ErrorCode),
    [0, 300, 400, 0],
  );
  assert.equal(answers[1]?.Message, `Invalid 'To' address: 'nobody'.`);
  assert.equal((await storedMarks(service, answers[3]?.MessageID ?? '')).subject, '4');
  const many = Array.from({ length: 501 }, () => mail());
  await refused(postmark.sendEmailBatch(many), { code: 410, message: /at most 500 messages/ });
});

test('templates are filled with their model', async () => {
  const { json } = await account.api.post('/v1/mail-templates', {
    name: 'Welcome',
    subject: 'Hi {{ name }}',
    source: '<p>{{ name }}</p>',
    alias: 'welcome',
  });
  await account.api.post(`/v1/mail-templates/${json.id}/publish`);
  const templated = (more: object) => ({
    From: account.from,
    To: 'a@sandbox.test',
    TemplateModel: { name: 'Ana' },
    ...more,
  });
  const sent = await postmark.sendEmailWithTemplate(templated({ TemplateId: json.id }));
  assert.equal((await storedMarks(service, sent.MessageID)).subject, 'Hi Ana');
  const batch = await postmark.sendEmailBatchWithTemplates([
    templated({ TemplateId: json.id }),
    templated({ TemplateId: 999_999_999 }),
    templated({ TemplateAlias: 'welcome' }),
    templated({ TemplateAlias: 'nothing' }),
  ]);
  assert.deepEqual(
    batch.map(({ ErrorCode }) => ErrorCode),
    [0, 1101, 0, 1101],
  );
  const unknown = postmark.sendEmailWithTemplate(templated({ TemplateId: 999_999_999 }));
  await refused(unknown, { code: 1101, message: /template/i });
  // Nothing is to be written into its elements.
  const inlined = await postmark.sendEmailWithTemplate(templated({ TemplateId: json.id, InlineCss: true }));
  assert.equal(inlined.ErrorCode, 0);
  const styled = await account.api.post('/v1/mail-templates', {
    name: 'Styled',
    subject: 'S',
    source: '<style>p { color: red }</style><p>Hi</p>',
  });
  await account.api.post(`/v1/mail-templates/${styled.json.id}/publish`);
  const css = postmark.sendEmailWithTemplate(templated({ TemplateId: styled.json.id, InlineCss: true }));
  await refused(css, { kind: Errors.InvalidEmailRequestError, code: 300, message: /InlineCss.*stylesheets/ });
  assert.equal(
    (await postmark.sendEmailWithTemplate(templated({ TemplateId: styled.json.id }))).ErrorCode,
    0,
  );
  await account.api.delete(`/v1/mail-templates/${styled.json.id}`);
  const neither = postmark.sendEmailWithTemplate(templated({}));
  await refused(neither, { kind: Errors.InvalidEmailRequestError, code: 300, message: /TemplateAlias/ });
  const { TotalCount, Templates } = await postmark.getTemplates();
  assert.deepEqual([TotalCount, Templates[0]?.Alias, Templates[0]?.Active], [1, 'welcome', true]);
  assert.equal((await postmark.getTemplate('welcome')).Subject, 'Hi {{ name }}');
});

test('inactive recipients are told by the sentences that clients read', async () => {
  await postmark.createSuppressions('outbound', {
    Suppressions: [{ EmailAddress: 'gone@sandbox.test' }, { EmailAddress: 'left@sandbox.test' }],
  });
  const some = await postmark.sendEmail(mail({ To: 'a@sandbox.test, gone@sandbox.test' }));
  assert.equal(some.ErrorCode, 0);
  assert.match(some.Message, /will not deliver to these inactive addresses: gone@sandbox\.test\. Inactive/);
  const all = await refused(postmark.sendEmail(mail({ To: 'gone@sandbox.test', Cc: 'left@sandbox.test' })), {
    kind: Errors.InactiveRecipientsError,
    code: 406,
    message: /marked as inactive/,
  });
  assert.deepEqual((all as Errors.InactiveRecipientsError).recipients, [
    'gone@sandbox.test',
    'left@sandbox.test',
  ]);
  const batch = await postmark.sendEmailBatch([mail({ To: 'gone@sandbox.test' }), mail()]);
  assert.deepEqual(
    batch.map(({ ErrorCode }) => ErrorCode),
    [406, 0],
  );
  const { Suppressions } = await postmark.getSuppressions('outbound');
  assert.deepEqual(
    Suppressions.map(({ EmailAddress, SuppressionReason, Origin }) => [
      EmailAddress,
      SuppressionReason,
      Origin,
    ]),
    [
      ['left@sandbox.test', 'ManualSuppression', 'Customer'],
      ['gone@sandbox.test', 'ManualSuppression', 'Customer'],
    ],
  );
  const one = await postmark.getSuppressions('broadcast', { emailAddress: 'GONE@sandbox.test' });
  assert.equal(one.Suppressions.length, 1);
  const changed = await postmark.deleteSuppressions('outbound', {
    Suppressions: [{ EmailAddress: 'gone@sandbox.test' }, { EmailAddress: 'nobody' }],
  });
  assert.deepEqual(
    changed.Suppressions.map(({ Status }) => Status),
    ['Deleted', 'Failed'],
  );
  await refused(postmark.getSuppressions('other'), {
    kind: Errors.InvalidEmailRequestError,
    code: 300,
    message: /outbound or broadcast/,
  });
});

test('a key without the right to send is refused with the reason', async () => {
  const kind = Errors.InvalidAPIKeyError;
  await refused(clientOf('x').sendEmail(mail()), { kind, code: 10, message: /valid Server token/ });
  const reader = await keyWith(account, { scopes: ['mail:read'] });
  await refused(clientOf(reader).sendEmail(mail()), { kind, code: 10, message: /do not allow/ });
  await refused(clientOf('POSTMARK_API_TEST').sendEmail(mail()), {
    kind,
    code: 10,
    message: /valid Server token/,
  });
  const bare = await fetch(`${service.base_url}/email`, { method: 'POST' });
  const { ErrorCode, Message } = (await bare.json()) as Models.DefaultResponse;
  assert.deepEqual([bare.status, ErrorCode], [401, 10]);
  assert.match(Message, /No Account or Server API tokens/);
});

test('an invalid message is refused with the code and the class of its kind', async () => {
  const { email } = await insertSender(service, {
    instance_id: account.instance.id,
    domain: 'unverified-postmark.example',
    status: 'pending',
  });
  const kind = Errors.InvalidEmailRequestError;
  const files = (more: object) => ({
    Attachments: [{ Name: 'a.txt', Content: 'YQ==', ContentType: 'text/plain', ContentID: null, ...more }],
  });
  const cases: [Partial<Models.Message>, Wanted][] = [
    [{ From: 'x@unknown.example' }, { code: 400, message: /sender/ }],
    [{ From: email }, { code: 401, message: /not verified/ }],
    [{ To: 'someone@example.com' }, { code: 412, message: /sandbox/ }],
    [{ From: 'nobody' }, { kind, code: 300, message: /^Invalid 'From' address: 'nobody'\.$/ }],
    [{ To: 'a@x.cl, nobody' }, { kind, code: 300, message: /^Invalid 'To' address/ }],
    [{ Cc: 'nobody' }, { kind, code: 300, message: /^Error parsing 'Cc': .*address 'nobody'/ }],
    [{ To: '' }, { kind, code: 300, message: /Zero recipients/ }],
    [{ HtmlBody: '' }, { kind, code: 300, message: /Provide either email TextBody or HtmlBody or both/ }],
    [{ Subject: '' }, { kind, code: 300, message: /Subject/ }],
    [
      { To: Array.from({ length: 51 }, (_, index) => `a${index}@sandbox.test`).join() },
      { kind, code: 300, message: /50 recipients/ },
    ],
    [{ TrackLinks: 'TextOnly' as never }, { kind, code: 300, message: /plain text/ }],
    [{ MessageStream: 'other' }, { kind, code: 300, message: /does not exist/ }],
    [{ MessageStream: 'broadcast' }, { kind, code: 300, message: /stream of the sender is transactional/ }],
    [{ Tag: 'x'.repeat(257) }, { kind, code: 300, message: /Tag/ }],
    [{ Metadata: { Tag: 'x' } }, { kind, code: 300, message: /Tag is taken/ }],
    [
      { Headers: [{ Name: 'List-Unsubscribe', Value: 'x' }] },
      { kind, code: 300, message: /List-Unsubscribe/ },
    ],
    [{ Headers: [{ Name: 'X-PM-KeepID', Value: 'true' }] }, { kind, code: 300, message: /X-PM-KeepID/ }],
    [{ InlineCss: true } as never, { kind, code: 300, message: /InlineCss/ }],
    [files({ Content: 'no base64!' }), { kind, code: 300, message: /base64/ }],
    [
      files({ Content: Buffer.alloc(1_048_577).toString('base64') }),
      { kind, code: 300, message: /at most 1048576/ },
    ],
  ];
  const beforeCount = await countMessages(account);
  for (const [changes, wanted] of cases) await refused(postmark.sendEmail(mail(changes)), wanted);
  assert.equal(await countMessages(account), beforeCount);
});

test('limits have codes of their own', async () => {
  const other = await openSwitching(service);
  await setInstance(service, other.instance.id, { plan_send_limit: 1 });
  const out = { From: other.sender.email, To: 'a@example.com, b@example.com', Subject: 'x', TextBody: 'x' };
  await refused(clientOf(other.api_key).sendEmail(out), { code: 405, message: /plan/ });
  await setInstance(service, other.instance.id, { requests_per_second: 1, requests_burst: 1 });
  const calls = Array.from({ length: 40 }, async () => await clientOf(other.api_key).getTemplates());
  const limited = (await Promise.allSettled(calls)).find(({ status }) => status === 'rejected');
  assert.ok(limited?.status === 'rejected' && limited.reason instanceof Errors.RateLimitExceededError);
});

test('a body that is not JSON is refused as invalid JSON', async () => {
  const post = async (body: string, type: string) => {
    const headers = { 'x-postmark-server-token': account.api_key, 'content-type': type };
    const response = await fetch(`${service.base_url}/email`, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as Models.DefaultResponse).ErrorCode];
  };
  assert.deepEqual(await post('{', 'application/json'), [422, 402]);
  assert.deepEqual(await post('x', 'text/plain'), [422, 409]);
});

test('a repeated call sends nothing again', async () => {
  const post = async (subject: string) => {
    const token = { 'x-postmark-server-token': account.api_key, 'content-type': 'application/json' };
    const response = await fetch(`${service.base_url}/email`, {
      method: 'POST',
      headers: { ...token, 'idempotency-key': 'order/1001' },
      body: JSON.stringify(mail({ Subject: subject })),
    });
    return { status: response.status, ...((await response.json()) as Models.MessageSendingResponse) };
  };
  const beforeCount = await countMessages(account);
  const first = await post('Hello');
  assert.equal(first.ErrorCode, 0);
  assert.equal((await post('Hello')).MessageID, first.MessageID);
  assert.equal(await countMessages(account), beforeCount + 1);
  const other = await post('Other');
  assert.deepEqual([other.status, other.ErrorCode], [422, 300]);
});

test('the account API is not served', async () => {
  const response = await fetch(`${service.base_url}/servers`, {
    headers: { 'x-postmark-account-token': 'x' },
  });
  const { ErrorCode, Message } = (await response.json()) as Models.DefaultResponse;
  assert.deepEqual([response.status, ErrorCode], [404, 0]);
  assert.match(Message, /account API/);
});

test('changes of templates and the other calls of the client are refused by name', async () => {
  const kind = Errors.PostmarkError;
  const stream = { ID: 'x', Name: 'x', MessageStreamType: 'Broadcasts' };
  const cases: [() => Promise<unknown>, RegExp][] = [
    [async () => await postmark.createTemplate({ Name: 'x', Subject: 'x', TextBody: 'x' }), /templates/],
    [async () => await postmark.deleteTemplate('x'), /templates/],
    [async () => await postmark.getWebhooks(), /webhooks/],
    [async () => await postmark.getInboundMessages(), /inbound/],
    [async () => await postmark.getMessageOpens(), /opens/],
    [async () => await postmark.getMessageClicks(), /clicks/],
    [async () => await postmark.getOutboundOverview(), /statistics/],
    [async () => await postmark.getInboundRuleTriggers(), /triggers/],
    [async () => await postmark.createMessageStream(stream), /message streams/],
    [async () => await postmark.editServer({ Name: 'x' }), /servers/],
  ];
  for (const [call, message] of cases) {
    const error = await call().then(
      () => assert.fail(`${message} was accepted`),
      (thrown: unknown) => thrown as Errors.PostmarkError,
    );
    assert.ok(error instanceof kind, String(error));
    assert.match(error.message, message);
    assert.equal(error.statusCode, 404);
  }
});

test('a path that is not served is named, in the form of the service', async () => {
  for (const [path, message] of [
    ['/stats/outbound', /statistics/],
    ['/triggers/inboundRules', /triggers/],
    ['/messages/inbound', /inbound/],
    ['/messages/outbound/opens', /opens/],
    ['/messages/outbound/clicks', /clicks/],
    ['/webhooks', /webhooks/],
    ['/senders', /account/],
    ['/domains', /account/],
    ['/email/bulk/1', /bulk/],
  ] as const) {
    const headers = { 'x-postmark-server-token': account.api_key };
    const response = await fetch(service.base_url + path, { headers });
    const body = (await response.json()) as Models.DefaultResponse;
    assert.equal(response.status, 404, path);
    assert.equal(body.ErrorCode, 0);
    assert.match(body.Message, message);
  }
});
