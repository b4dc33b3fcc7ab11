import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import { renderer } from '../../test/support/template-renderer.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { createTemplate, publishTemplate } from '../templates/templates.ts';
import { openAccount, startAccepting, storedMails, type Account, type Body } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

const actor = { kind: 'operator' } as const;

async function template(content: Record<string, string> = {}): Promise<number> {
  const { id } = await createTemplate(service.db, account.instance.id, {
    template: {
      name: 'T',
      subject: 'Order {{ order.number }}',
      source: '<p>{{ order.total }}</p>',
      ...content,
    },
    actor,
    renderer,
  });
  await publishTemplate(service.db, account.instance.id, { id, actor });
  return id;
}

async function send(template_id: number, changes: Body = {}): Promise<ApiResponse> {
  return await account.send({ template_id, subject: undefined, html: undefined, ...changes });
}

async function subjects({ status, json, text }: ApiResponse): Promise<string[]> {
  assert.equal(status, 200, text);
  return (await storedMails(service, json.message_id)).map(({ subject }) => subject);
}

test('variables fill in the subject, those of a recipient before those of everyone', async () => {
  const id = await template({ subject: 'Hi {{ first }}, {{ order.number }}{{ nobody }}' });
  const answer = await send(id, {
    template_variables: { first: 'friend', order: { number: 7 } },
    to: [
      { email: 'Ana@sandbox.test', variables: { first: 'Ana' } },
      { email: 'b@sandbox.test', variables: null },
      { email: 'ana@SANDBOX.test', variables: { first: 'repeated' } },
    ],
    cc: [{ email: 'c@sandbox.test', variables: { order: { name: 'no number' } } }],
    bcc: [{ email: 'd@sandbox.test', variables: { first: 'D', order: { number: [1, 2] } } }],
  });
  assert.deepEqual(await subjects(answer), ['Hi Ana, 7', 'Hi friend, 7', 'Hi friend, ', 'Hi D, 12']);
});

test('variables are stored with the message, and nothing is stored where none are given', async () => {
  const id = await template();
  const stored = async ({ json }: ApiResponse): Promise<unknown> => {
    const [row] = await service.db.query<{ variables: string | null }>(
      `select convert_from(variables, 'UTF8') as variables from messages where msg_id = $1`,
      [json.message_id],
    );
    return row?.variables && JSON.parse(row.variables);
  };
  assert.equal(await stored(await send(id)), null);
  assert.equal(await stored(await send(id, { template_variables: {}, to: to({}) })), null);
  assert.deepEqual(await stored(await send(id, { template_variables: { a: 'ñ' }, to: to({ b: 1 }) })), {
    all: { a: 'ñ' },
    by_recipient: { 'ana@sandbox.test': { b: 1 } },
  });
});

function to(variables: unknown): unknown[] {
  return [{ email: 'Ana@sandbox.test', variables }];
}

test('names of prototypes reach no prototype', async () => {
  const id = await template({ subject: '{{ constructor.name }}|{{ __proto__.a }}|{{ toString }}' });
  const given = JSON.parse('{"toString": "t", "__proto__": {"a": "p"}}') as unknown;
  const answer = await send(id, { template_variables: given });
  assert.deepEqual(await subjects(answer), ['||t']);
});

test('variables need a template', async () => {
  const answer = await account.send({
    template_variables: {},
    strict_variables: true,
    to: to({}),
    bcc: [{ email: 'b@sandbox.test', variables: { a: 1 } }],
  });
  assert.deepEqual(violations(answer), [
    '/template_variables value_error.template_required',
    '/to/0/variables value_error.template_required',
    '/bcc/0/variables value_error.template_required',
    '/strict_variables value_error.template_required',
  ]);
});

test('variables are objects, and only recipients have their own', async () => {
  const id = await template();
  for (const wrong of ['a', [], 5, true]) {
    assert.deepEqual(violations(await send(id, { template_variables: wrong })), [
      '/template_variables dict_type',
    ]);
  }
  const reply_to = { email: 'a@b.cl', variables: {} };
  assert.deepEqual(violations(await send(id, { reply_to })), ['/reply_to/variables extra_forbidden']);
});

test('size, depth and number of values are bounded, and names of the platform are taken', async () => {
  const id = await template();
  const refused = async (template_variables: unknown): Promise<string[]> =>
    violations(await send(id, { template_variables }));
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) });
  assert.equal((await send(id, { template_variables: nested(10) })).status, 200);
  assert.deepEqual(await refused(nested(11)), ['/template_variables value_error.too_complex']);
  const list = (length: number): unknown => ({ a: Array.from({ length }, () => 0) });
  assert.equal((await send(id, { template_variables: list(4_998) })).status, 200);
  assert.deepEqual(await refused(list(4_999)), ['/template_variables value_error.too_complex']);
  const text = (length: number): unknown => ({ a: 'ñ'.repeat(length) });
  assert.equal((await send(id, { template_variables: text(32_764) })).status, 200);
  assert.deepEqual(await refused(text(32_765)), ['/template_variables value_error.too_large']);
  assert.deepEqual(await refused({ recipient: {}, view_url: '', other: 1 }), [
    '/template_variables/recipient value_error.reserved_variable',
    '/template_variables/view_url value_error.reserved_variable',
  ]);
});

test('all variables of a send together are bounded', async () => {
  const id = await template();
  const recipients = (count: number): unknown[] =>
    Array.from({ length: count }, (_, index) => ({
      email: `p${index}@sandbox.test`,
      variables: { a: 'x'.repeat(60_000) },
    }));
  assert.equal((await send(id, { to: recipients(17) })).status, 200);
  assert.deepEqual(violations(await send(id, { to: recipients(18) })), ['/to value_error.too_large']);
});

test('strict variables refuse a variable without a value', async () => {
  const id = await template({
    subject: '{{ order.number }} {{ recipient.name }} {{ view_url }}',
    source:
      '{% for item in order.items %}{{ item.price }}{{ forloop.index }}{% endfor %}{% assign a = b %}{{ a }}{{ list[0].x }}{{ list.size }}',
    text: '{% if coupon %}{{ coupon | append: code }}{% endif %}{{ given }}',
  });
  const strict = { strict_variables: true };
  const names = ({ json }: ApiResponse): unknown[] =>
    json.errors.map(({ pointer, code, params }: never) => [
      pointer,
      code,
      (params as { variable: string }).variable,
    ]);
  const lacking = await send(id, { ...strict, template_variables: { order: {}, given: null } });
  assert.equal(lacking.status, 422);
  assert.deepEqual(
    names(lacking),
    ['order.number', 'order.items', 'b', 'list[0].x', 'list.size', 'coupon', 'code'].map((name) => [
      '/template_variables',
      'missing_variable',
      name,
    ]),
  );
  const all = { order: { number: 1, items: [] }, b: 1, list: [], coupon: null, code: '', given: 0 };
  assert.equal((await send(id, { ...strict, template_variables: all })).status, 200);
  const some = await send(id, {
    ...strict,
    template_variables: { ...all, code: undefined },
    to: [{ email: 'a@sandbox.test', variables: { code: 'A' } }],
    cc: [{ email: 'b@sandbox.test' }],
  });
  assert.deepEqual(names(some), [['/cc/0/variables', 'missing_variable', 'code']]);
  assert.equal((await send(id, { template_variables: {} })).status, 200, 'lenient unless asked');
});

test('strict variables are found in large templates too', async () => {
  const id = await template({ source: `${'<p>{{ recipient.name }}</p>'.repeat(200)}{{ far_away }}` });
  const answer = await send(id, { strict_variables: true, template_variables: { order: { number: 1 } } });
  assert.deepEqual(
    answer.json.errors.map(({ params }: { params: unknown }) => params),
    [{ variable: 'far_away' }],
  );
});

test('a form carries variables as JSON', async () => {
  const id = await template();
  const form = new FormData();
  form.set('sender_email', String(account.mail().sender_email));
  form.set('to', JSON.stringify([{ email: 'a@sandbox.test', variables: { order: { number: 2 } } }]));
  form.set('template_id', String(id));
  form.set('template_variables', JSON.stringify({ order: { number: 1 } }));
  form.set('strict_variables', 'false');
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: account.headers,
    body: form,
  });
  const json = (await response.json()) as { message_id: string };
  assert.equal(response.status, 200, JSON.stringify(json));
  const [mail] = await storedMails(service, json.message_id);
  assert.equal(mail?.subject, 'Order 2');
});

test('work on variables counts: a subject that goes through too much of it is refused', async () => {
  const id = await template({
    subject: '{% for a in l %}{% for b in l %}{% for c in l %}{% endfor %}{% endfor %}{% endfor %}x',
  });
  const big = { l: Array.from({ length: 300 }, () => 0) };
  assert.deepEqual(violations(await send(id, { template_variables: big })), [
    '/template_id value_error.liquid',
  ]);
  assert.deepEqual(await subjects(await send(id, { template_variables: { l: [1] } })), ['x']);
});

test('objects count with what they hold, also where a loop leaves them at once', async () => {
  const id = await template({
    subject:
      '{% for a in l %}{% for b in l %}{% for p in o %}{% break %}{% endfor %}{% endfor %}{% endfor %}x',
  });
  const l = Array.from({ length: 50 }, () => 0);
  const o = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, 0]));
  assert.deepEqual(await subjects(await send(id, { template_variables: { l, o: { k: 0 } } })), ['x']);
  assert.deepEqual(violations(await send(id, { template_variables: { l, o } })), [
    '/template_id value_error.liquid',
  ]);
});
