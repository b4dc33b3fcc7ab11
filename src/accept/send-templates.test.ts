import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { renderer } from '../../test/support/template-renderer.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import {
  createTemplate,
  deleteTemplate,
  publishTemplate,
  unpublishTemplate,
  updateTemplate,
} from '../templates/templates.ts';
import { openAccount, startAccepting, storedMails, type Account, type Body } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

const actor = { kind: 'operator' } as const;

interface Wanted {
  subject?: string;
  source?: string;
  text?: string;
  alias?: string;
  publish?: boolean;
}

async function template({ publish = true, ...content }: Wanted = {}, owner = account): Promise<number> {
  const { id } = await createTemplate(service.db, owner.instance.id, {
    template: { name: 'T', subject: 'Welcome', source: '<p>First</p>', ...content },
    actor,
    renderer,
  });
  if (publish) await publishTemplate(service.db, owner.instance.id, { id, actor });
  return id;
}

async function send(template_id: number, changes: Body = {}, sender = account): Promise<ApiResponse> {
  return await sender.send({ template_id, subject: undefined, html: undefined, ...changes });
}

interface Stored {
  content_kind: string;
  template_id: number;
  html: string;
  text: string | null;
  subject: string;
}

async function stored({ status, json, text }: ApiResponse): Promise<Stored> {
  assert.equal(status, 200, text);
  const [row] = await service.db.query<Stored>(
    `select content_kind, template_id, convert_from(html, 'UTF8') as html, convert_from(text, 'UTF8') as text,
       envelope ->> 'subject' as subject from messages where msg_id = $1`,
    [json.message_id],
  );
  return row as Stored;
}

test('a published template is the content, copied as it is', async () => {
  const id = await template({ subject: 'Welcome', source: '<p>{{ recipient.name }}</p>', text: 'Plain' });
  assert.deepEqual(await stored(await send(id)), {
    content_kind: 'liquid',
    template_id: id,
    html: '<p>{{ recipient.name }}</p>',
    text: 'Plain',
    subject: 'Welcome',
  });
  assert.equal((await stored(await send(await template()))).text, null);
});

test('a draft is accepted only in test mode', async () => {
  const id = await template({ publish: false });
  assertProblem(await send(id), 'template_not_public');
  assertProblem(await send(id, { test_mode: false }), 'template_not_public');
  assert.equal((await stored(await send(id, { test_mode: true }))).html, '<p>First</p>');
});

test('publishing, unpublishing and deleting hold from the next send on', async () => {
  const id = await template({ publish: false });
  const { id: instance_id } = account.instance;
  /** Long before anyone would look again by themselves. */
  const becomes = async (expected: string): Promise<unknown> =>
    await waitFor(
      async () => {
        const { status, json } = await send(id);
        return (status === 200 ? 'accepted' : json.code) === expected;
      },
      { timeout_ms: 4_000, what: expected },
    );
  await becomes('template_not_public');
  await publishTemplate(service.db, instance_id, { id, actor });
  await becomes('accepted');
  await unpublishTemplate(service.db, instance_id, { id, actor });
  await becomes('template_not_public');
  await publishTemplate(service.db, instance_id, { id, actor });
  await becomes('accepted');
  await deleteTemplate(service.db, instance_id, { id, actor });
  await becomes('mail_template_not_found');
  assert.equal((await send(id, { test_mode: true })).json.code, 'mail_template_not_found');
});

test('editing a template changes what is sent next and nothing that was accepted', async () => {
  const id = await template({ text: 'First' });
  const first = await send(id);
  assert.equal((await stored(first)).html, '<p>First</p>');
  const changes = { subject: 'Changed', source: '<p>Second</p>', text: 'Second' };
  await updateTemplate(service.db, account.instance.id, { id, changes, actor, renderer });
  const second = await waitFor(
    async () => {
      const now = await stored(await send(id));
      return now.subject === 'Changed' && now;
    },
    { timeout_ms: 4_000 },
  );
  assert.deepEqual([second.html, second.text], ['<p>Second</p>', 'Second']);
  const kept = await stored(first);
  assert.deepEqual([kept.subject, kept.html, kept.text], ['Welcome', '<p>First</p>', 'First']);
  const [mail] = await storedMails(service, first.json.message_id);
  assert.equal(mail?.subject, 'Welcome');
});

test('a template of another instance, or none, is not found', async () => {
  const other = await openAccount(service);
  const foreign = await template({}, other);
  assertProblem(await send(foreign), 'mail_template_not_found');
  assertProblem(await send(foreign, { test_mode: true }), 'mail_template_not_found');
  assert.equal((await send(foreign, {}, other)).status, 200);
  for (const id of [999_999_999, Number.MAX_SAFE_INTEGER]) {
    assertProblem(await send(id), 'mail_template_not_found');
  }
});

test('placeholders of the subject are filled in for each recipient', async () => {
  const id = await template({
    subject: 'Hello {{ recipient.name | default: "friend" }} <{{ recipient.email }}>{{ nobody }}',
  });
  const to = [
    { email: 'ana@sandbox.test', name: 'Ana & Eva <3' },
    { email: 'x@SANDBOX.test', name: null },
    { email: 'y@sandbox.test', name: '{{ recipient.email }}' },
    { email: 'z@sandbox.test', name: '😀'.repeat(255) },
  ];
  const { json } = await send(id, { to });
  const mails = await storedMails(service, json.message_id);
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    [
      'Hello Ana & Eva <3 <ana@sandbox.test>',
      'Hello friend <x@sandbox.test>',
      'Hello {{ recipient.email }} <y@sandbox.test>',
      `Hello ${'😀'.repeat(248)}`,
    ],
  );
});

test('direct content is not interpreted', async () => {
  const text = 'Hello {{ recipient.name }} {% if %}';
  const { status, json } = await account.send({ subject: text, html: text, text });
  assert.equal(status, 200);
  const [mail] = await storedMails(service, json.message_id);
  assert.equal(mail?.subject, text);
  const [row] = await service.db.query(
    `select content_kind, convert_from(html, 'UTF8') as html from messages where msg_id = $1`,
    [json.message_id],
  );
  assert.deepEqual(row, { content_kind: 'parts', html: text });
});

test('a template takes headers, copies and attachments of the send, and no content', async () => {
  const id = await template();
  const attachments = [{ type: 'a/b', filename: 'a', content: 'YQ==' }];
  const { status } = await send(id, {
    headers: { 'X-A': 'b' },
    cc: [{ email: 'a@sandbox.test' }],
    attachments,
  });
  assert.equal(status, 200);
  const answer = await send(id, { subject: 'x', html: 'x', text: 'x' });
  assert.deepEqual(violations(answer), [
    '/subject value_error.template_content',
    '/html value_error.template_content',
    '/text value_error.template_content',
  ]);
  assert.equal((await send(id, { subject: null, html: null, text: null })).status, 200);
});

test('a template is sent by its alias as by its id, and an alias that is not there is refused as such an id', async () => {
  const id = await template({ alias: 'order.paid', source: '<p>{{ order.number }}</p>' });
  const byAlias = async (template_alias: string, changes: Body = {}, sender = account) =>
    await sender.send({ template_alias, subject: undefined, html: undefined, ...changes });
  const sent = await stored(await byAlias('order.paid', { template_variables: { order: { number: 7 } } }));
  assert.deepEqual([sent.template_id, sent.html], [id, '<p>{{ order.number }}</p>']);

  const missing = await byAlias('order.unpaid');
  assertProblem(missing, 'mail_template_not_found');
  assert.equal(missing.json.detail, (await send(987_654_321)).json.detail);
  assertProblem(await byAlias('Order.paid'), 'mail_template_not_found');
  assertProblem(await byAlias('order.paid', {}, await openAccount(service)), 'mail_template_not_found');

  await template({ alias: 'draft', publish: false });
  assertProblem(await byAlias('draft'), 'template_not_public');
  const strict = await byAlias('order.paid', { strict_variables: true });
  assert.deepEqual(violations(strict), ['/template_variables missing_variable']);
});

test('a send names one template, and what the template gives is left out with an alias too', async () => {
  const id = await template({ alias: 'one' });
  const refused = async (changes: Body) =>
    violations(await account.send({ subject: undefined, html: undefined, ...changes }));
  assert.deepEqual(await refused({ template_id: id, template_alias: 'one' }), [
    '/template_alias value_error.two_templates',
  ]);
  assert.deepEqual(await refused({ template_alias: 'one', html: '<p>x</p>' }), [
    '/html value_error.template_content',
  ]);
  assert.deepEqual(await refused({ template_alias: '7' }), ['/template_alias string_pattern_mismatch']);
});
