import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Errors, Models, type ServerClient } from 'postmark';
import { waitFor } from '../../../test/support/wait-for.ts';
import { openSwitching } from '../compat-bed.fixture.ts';
import { mailFrom, refused, type PostmarkBed, startPostmark } from './postmark-bed.fixture.ts';

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

test('sent messages are listed and read with what became of them', async () => {
  const other = await openSwitching(service);
  const client = clientOf(other.api_key, '/compat/postmark');
  const from = { From: other.from };
  const first = await client.sendEmail(
    mail({
      Subject: 'First',
      To: 'Eva <delivered@sandbox.test>',
      Cc: 'bounce@sandbox.test',
      Tag: 'a',
      ...from,
    }),
  );
  const second = await client.sendEmail(mail({ Subject: 'Second', Metadata: { k: 'v' }, ...from }));
  const details = await waitFor(async () => {
    const read = await client.getOutboundMessageDetails(first.MessageID);
    return read.MessageEvents.length >= 2 && read.Status !== 'Queued' ? read : undefined;
  });
  assert.deepEqual(
    details.MessageEvents.map(({ Recipient, Type }) => `${Recipient} ${Type}`).toSorted((a, b) =>
      a.localeCompare(b),
    ),
    ['bounce@sandbox.test Bounced', 'delivered@sandbox.test Delivered'],
  );
  assert.deepEqual(details.To, [{ Email: 'delivered@sandbox.test', Name: 'Eva' }]);
  assert.deepEqual([details.Tag, details.Subject, details.Status], ['a', 'First', 'Sent']);
  assert.deepEqual(
    [details.HtmlBody, details.Sandboxed, details.MessageStream],
    ['<p>Hi</p>', true, 'outbound'],
  );
  assert.match(details.Body, /^Subject: First\r?$/m);
  assert.match((await client.getOutboundMessageDump(second.MessageID)).Body, /^Subject: Second\r?$/m);

  const idsOf = async (filter: object) => {
    const { TotalCount, Messages } = await client.getOutboundMessages(filter);
    assert.equal(Number(TotalCount), Messages.length);
    return Messages.map(({ MessageID }) => (MessageID === first.MessageID ? 1 : 2));
  };
  assert.deepEqual(await idsOf({}), [2, 1]);
  assert.deepEqual(await idsOf({ recipient: 'bounce@sandbox.test' }), [1]);
  assert.deepEqual(await idsOf({ tag: 'a' }), [1]);
  assert.deepEqual(await idsOf({ metadata_k: 'v' }), [2]);
  assert.deepEqual(await idsOf({ subject: 'second' }), [2]);
  assert.deepEqual(await idsOf({ fromEmail: other.from.toUpperCase() }), [2, 1]);
  assert.deepEqual(await idsOf({ fromEmail: 'x@y.cl' }), []);
  assert.deepEqual(await idsOf({ messageStream: 'broadcast' }), []);
  assert.deepEqual(await idsOf({ toDate: '2020-01-01' }), []);
  assert.deepEqual(await idsOf({ fromDate: new Date(Date.now() - 60_000).toISOString() }), [2, 1]);
  await refused(client.getOutboundMessages({ server: 1 }), {
    kind: Errors.InvalidEmailRequestError,
    code: 300,
    message: /filter server/,
  });
  await refused(postmark.getOutboundMessageDetails(first.MessageID), { code: 701, message: /message/ });

  const { TotalCount, Bounces } = await client.getBounces();
  assert.equal(TotalCount, 1);
  const [bounce] = Bounces;
  assert.deepEqual(
    [bounce?.Type, bounce?.TypeCode, bounce?.Email, bounce?.MessageID, bounce?.Inactive, bounce?.Tag],
    ['HardBounce', 1, 'bounce@sandbox.test', first.MessageID, true, 'a'],
  );
  const bounced = details.MessageEvents.find(({ Type }) => Type === 'Bounced');
  assert.equal((bounced?.Details as { BounceID: number } | undefined)?.BounceID, bounce?.ID);
  const id = bounce?.ID ?? 0;
  assert.deepEqual(await client.getBounce(id), bounce);
  assert.equal((await client.getBounces({ type: Models.BounceType.SoftBounce })).TotalCount, 0);
  assert.equal(
    (await client.getBounces({ type: Models.BounceType.HardBounce, tag: 'a', inactive: true })).TotalCount,
    1,
  );
  assert.deepEqual((await client.getDeliveryStatistics()).Bounces, [
    { Name: 'All', Count: 1 },
    { Type: 'HardBounce', Name: 'Hard bounce', Count: 1 },
  ]);
  const activated = await client.activateBounce(id);
  assert.deepEqual([activated.Message, activated.Bounce.Inactive], ['OK', false]);
  await refused(postmark.getBounce(id), { code: 407, message: /bounce was not found/ });
  await refused(client.getBounce(12), { code: 407, message: /bounce was not found/ });
});

test('an instance is read as a server, with its streams', async () => {
  const { ID, Name, ApiTokens } = await postmark.getServer();
  assert.deepEqual([ID, Name, ApiTokens], [account.instance.id, account.instance.slug, []]);
  const { MessageStreams, TotalCount } = await postmark.getMessageStreams();
  assert.equal(TotalCount, 2);
  assert.deepEqual(
    MessageStreams.map((stream) => [stream.ID, stream.MessageStreamType]),
    [
      ['outbound', 'Transactional'],
      ['broadcast', 'Broadcasts'],
    ],
  );
  const broadcasts = await postmark.getMessageStreams({ messageStreamType: 'Broadcasts' });
  assert.deepEqual(
    broadcasts.MessageStreams.map((stream) => stream.ID),
    ['broadcast'],
  );
  assert.equal((await postmark.getMessageStream('outbound')).Name, 'outbound');
  await refused(postmark.getMessageStream('other'), {
    kind: Errors.InvalidEmailRequestError,
    code: 300,
    message: /outbound or broadcast/,
  });
});

test('a template is validated and rendered part by part', async () => {
  const template = { TestRenderModel: { name: 'Ana & Co' }, Subject: 'Hi {{ name }}' };
  const valid = await postmark.validateTemplate({ ...template, HtmlBody: '<p>{{ name }}</p>' });
  assert.equal(valid.AllContentIsValid, true);
  assert.equal(valid.Subject.RenderedContent, 'Hi Ana & Co');
  assert.equal(valid.HtmlBody.RenderedContent, '<p>Ana &amp; Co</p>');
  const invalid = await postmark.validateTemplate({ ...template, HtmlBody: '<p>\n{{#each a}}</p>' });
  assert.equal(invalid.AllContentIsValid, false);
  assert.equal(invalid.Subject.ContentIsValid, true);
  const [error] = invalid.HtmlBody.ValidationErrors as { Message: string; Line: number }[];
  assert.ok(error?.Message);
  assert.equal(error.Line, 2);
  // The client for Ruby sends what it has read of a template.
  const whole = { Name: 'x', TemplateId: 1, Alias: 'x', Active: true, ...template };
  assert.equal((await postmark.validateTemplate(whole)).AllContentIsValid, true);
  const kind = Errors.InvalidEmailRequestError;
  await refused(postmark.validateTemplate({ ...template, LayoutTemplate: 'x' }), {
    kind,
    code: 300,
    message: /layouts/,
  });
});
