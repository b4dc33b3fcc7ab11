import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operation } from '../../src/base/http/operation.ts';
import { findPurposeByCode } from '../../src/consent/catalogue/purposes.ts';
import { openConsentAccount } from '../../src/consent/consent-account.fixture.ts';
import { findDomainByName } from '../../src/domains/domains.ts';
import { findFieldIds } from '../../src/forms/fields.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  createActors,
  credentialsFor,
  exampleFor,
  fillPath,
  hasParams,
  namesIn,
  namesResource,
  seedFor,
  type Actors,
} from './resources.fixture.ts';
import { assertProblemShape } from './problems.fixture.ts';
import { send, type RawAnswer } from './raw-http.fixture.ts';

let service: TestService;
let mine: Actors;
let theirs: Actors;
let operations: Operation[];
before(async () => {
  // No resolver listens there: nothing of these tests may go out.
  service = await startTestService({ env: { CHASQUI_DNS_SERVERS: '127.0.0.1:9' } });
  mine = await createActors(service);
  theirs = await createActors(service);
  // What operators do concerns no instance of theirs; src/main/operator-routes.test.ts tests who may.
  operations = service.service.operations.filter(({ access }) => access.kind !== 'operator');
});
after(async () => await service.stop());

async function call(operation: Operation, path: string, actors: Actors): Promise<RawAnswer> {
  const headers = credentialsFor(operation, actors);
  if (operation.body === undefined) {
    return await send(service.base_url, { method: operation.method, path, headers });
  }
  return await send(service.base_url, {
    method: operation.method,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(exampleFor(operation, actors)),
  });
}

/** An answer without what differs from request to request. */
function visible({ status, headers, json }: RawAnswer): unknown {
  const varying = new Set(['date', 'x-request-id', 'x-trace-id']);
  return {
    status,
    names: headers.filter(([name]) => !varying.has(name.toLowerCase())),
    json: { ...json, request_id: '', trace_id: '' },
  };
}

/** One that an integer could be and no row has. */
const nobodys = 8_888_888_888;

test('every operation that names a resource answers not found for one of another instance', async () => {
  const naming = operations.filter(namesResource);
  assert.ok(naming.length > 10, 'there are operations to call');
  for (const operation of naming) {
    const params = await seedFor(operation, service, theirs);
    const answer = await call(operation, fillPath(operation.path, params), mine);
    assert.equal(answer.status, 404, `${operation.id}: ${answer.body}`);
    assertProblemShape(answer);
    assert.match(answer.json.code, /^[a-z_]+_not_found$/, operation.id);
    assert.ok(operation.errors.includes(answer.json.code), `${operation.id} declares ${answer.json.code}`);
    const integers = namesIn(operation.path).filter((name) => typeof params[name] === 'number');
    if (integers.length === 0) continue;
    const nowhere = { ...params, ...Object.fromEntries(integers.map((name) => [name, nobodys])) };
    const missing = await call(operation, fillPath(operation.path, nowhere), mine);
    assert.deepEqual(visible(missing), visible(answer), operation.id);
  }
});

/** Something that bodies name: of an instance, by its identifier. */
const named: Record<string, (actors: Actors) => Promise<number>> = {
  field: async (actors) => await seedAt('/v1/fields/{id}', actors),
  sender: async (actors) => await seedAt('/v1/senders/{id}', actors),
  purpose: async (actors) => await seedAt('/v1/private/consent-purposes/{id}', actors),
  term: async (actors) => (await openConsentAccount(service, actors)).first.id,
  template: async (actors) => {
    const id = await seedAt('/v1/mail-templates/{template_id}', actors);
    await service.db.query(
      'update mail_templates set is_published = true, published_at = now() where id = $1',
      [id],
    );
    return id;
  },
};

async function seedAt(path: string, actors: Actors): Promise<number> {
  const operation = operations.find((each) => each.path === path);
  assert.ok(operation, path);
  const params = await seedFor(operation, service, actors);
  return Number(params['id'] ?? params['template_id']);
}

test('a body that names a resource of another instance is refused as not found', async () => {
  const own = Object.fromEntries(
    await Promise.all(Object.entries(named).map(async ([name, seed]) => [name, await seed(mine)])),
  ) as Record<string, number>;
  const { marketing } = await openConsentAccount(service, mine);
  const [email] = await service.db.query<{ id: number }>(
    `select id from fields where instance_id = $1 and field_key = 'EMAIL'`,
    [mine.instance.id],
  );
  const asked = { kind: 'field', field_id: email?.id };
  const person = { contact_type: 'email_address', contact: 'ana@example.com' };
  const form = { name: 'Seed', kind: 'advanced', type: 'registration', items: [asked] };
  const withField = (field_id: number) => ({ ...form, items: [{ kind: 'field', field_id }] });
  const withTerm = (term_id: number) => ({ ...form, items: [asked, { kind: 'consent', term_id }] });
  const withTemplate = (template_id: number) => ({
    ...form,
    auto_reply_sender_id: own['sender'],
    settings: { auto_reply: { template_id } },
  });
  const bodies: [operation: string, name: string, body: (id: number) => object][] = [
    ['panel_create_form', 'field', withField],
    ['panel_create_form', 'term', withTerm],
    ['panel_create_form', 'template', withTemplate],
    ['panel_create_form', 'sender', (id) => ({ ...form, auto_reply_sender_id: id })],
    ['panel_preview_form', 'field', withField],
    ['panel_preview_form', 'term', withTerm],
    [
      'panel_create_consent_term',
      'purpose',
      (id) => ({ name: 'Seed', type: 'other', channels: ['mail'], purpose_ids: [id] }),
    ],
    [
      'record_consent_event',
      'term',
      (id) => ({
        term_id: id,
        method: 'single_opt_in',
        rules: [{ ...person, purpose_id: marketing, action: 'allow' }],
      }),
    ],
    [
      'create_rights_request',
      'purpose',
      (id) => ({ kind: 'opposition', contacts: [person], purpose_ids: [id] }),
    ],
  ];
  for (const [id, name, body] of bodies) {
    const operation = operations.find((each) => each.id === id) as Operation;
    const answerTo = async (namedId: number): Promise<RawAnswer> =>
      await send(service.base_url, {
        method: operation.method,
        path: operation.path,
        headers: { ...credentialsFor(operation, mine), 'content-type': 'application/json' },
        body: JSON.stringify(body(namedId)),
      });
    const granted = await answerTo(own[name] ?? 0);
    assert.equal(granted.status, operation.success.status, `${id}: ${granted.body}`);
    const [foreign, missing] = [await answerTo((await named[name]?.(theirs)) ?? 0), await answerTo(nobodys)];
    assert.deepEqual(visible(foreign), visible(missing), `${id}, ${name}`);
    assert.notEqual(missing.body, granted.body, `${id}, ${name}`);
  }
});

test('the owner may do what a stranger is refused', async () => {
  for (const operation of operations.filter((each) => hasParams(each) && each.method === 'GET')) {
    const params = await seedFor(operation, service, theirs);
    const answer = await call(operation, fillPath(operation.path, params), theirs);
    assert.equal(answer.status, 200, `${operation.id}: ${answer.body}`);
  }
});

/** Tables that change without a call: mail is delivered and noted while the test runs. */
const busy = /^(audit_events|events|mails|messages|queue|attempts|counters|rollups)/;

test('all these calls changed nothing of another instance', async () => {
  const rows = async (table: string): Promise<unknown[]> =>
    await service.db.query(`select * from ${table} where instance_id = $1 order by id`, [theirs.instance.id]);
  const found = await service.db.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'instance_id'
       and table_name in (select table_name from information_schema.columns where column_name = 'id')
       and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`,
  );
  const tables = found.filter(({ table_name }) => !busy.test(table_name));
  assert.ok(tables.length > 3);
  const changing = operations.filter((each) => hasParams(each) && each.method !== 'GET');
  for (const operation of changing) await existing(operation);
  const beforeCalls = await Promise.all(tables.map(async ({ table_name }) => await rows(table_name)));
  for (const operation of changing) {
    const params = await existing(operation);
    await call(operation, fillPath(operation.path, params), mine);
  }
  const afterCalls = await Promise.all(tables.map(async ({ table_name }) => await rows(table_name)));
  assert.deepEqual(afterCalls, beforeCalls);
});

/** Seeds are made once: this test compares the tables around the calls. */
const remembered = new Map<string, Awaited<ReturnType<typeof seedFor>>>();
async function existing(operation: Operation): ReturnType<typeof seedFor> {
  const known = remembered.get(operation.path);
  if (known) return known;
  const params = await seedFor(operation, service, theirs);
  remembered.set(operation.path, params);
  return params;
}

/** The members that name an item, by which two lists are compared. */
const identifiers = ['id', 'mail_id', 'msg_id', 'slug', 'received_mail_id', 'contact'];
/** The same for everyone. */
const shared = new Set(['list_webhook_events', 'panel_list_webhook_events']);

function isList({ method, success }: Operation): boolean {
  const { properties } = (success.schema ?? {}) as { properties?: Record<string, unknown> };
  return method === 'GET' && properties?.['data'] !== undefined && properties['pagination'] !== undefined;
}

test('no list has anything of another instance', async () => {
  for (const operation of operations.filter(hasParams)) await seedFor(operation, service, theirs);
  const lists = operations.filter((each) => isList(each) && !hasParams(each) && !shared.has(each.id));
  assert.ok(lists.length > 5, 'there are lists to read');
  const items = async (operation: Operation, actors: Actors): Promise<Map<unknown, unknown>> => {
    const answer = await call(operation, `${operation.path}?page_size=100`, actors);
    assert.equal(answer.status, 200, `${operation.id}: ${answer.body}`);
    return new Map(
      answer.json.data.map((item: Record<string, unknown>) => {
        const name = identifiers.find((each) => item[each] !== undefined);
        assert.ok(
          name,
          `${operation.id}: its items have none of ${identifiers.join()}; add the one they have`,
        );
        return [item[name], item];
      }),
    );
  };
  for (const operation of lists) {
    const [own, foreign] = [await items(operation, mine), await items(operation, theirs)];
    assert.ok(foreign.size > 0, `${operation.id}: the other instance has nothing to list; seed it`);
    assert.deepEqual(
      [...own.keys()].filter((key) => foreign.has(key)),
      [],
      operation.id,
    );
  }
});

test('the slug of one instance with the credentials of another opens nothing', async () => {
  const ofInstances = operations.filter(({ access }) => access.kind === 'user' || access.kind === 'api_key');
  for (const operation of ofInstances) {
    const params = hasParams(operation) ? await existing(operation) : {};
    const crossed = { ...mine, instance: theirs.instance };
    const answer = await call(operation, fillPath(operation.path, params), crossed);
    const expected = operation.access.kind === 'user' ? 'forbidden' : 'unauthorized';
    assert.equal(answer.json.code, expected, operation.id);
  }
});

test('commands look up names within the instance that they name', async () => {
  const { db } = service;
  const [one, another] = [mine.instance.id, theirs.instance.id];
  await db.query(
    `insert into domains (instance_id, domain, ownership_token)
     select id, 'named.example', repeat('x', 19) || id from unnest($1::bigint[]) as id`,
    [[one, another]],
  );
  const finders: Record<string, (instanceId: number) => Promise<unknown>> = {
    domain: async (instanceId) => await findDomainByName(db, instanceId, 'named.example'),
    purpose: async (instanceId) => (await findPurposeByCode(db, instanceId, 'marketing'))?.id,
    field: async (instanceId) => (await findFieldIds(db, instanceId, ['EMAIL'])).get('EMAIL'),
  };
  const tables = { domain: 'domains', purpose: 'consent_purposes', field: 'fields' };
  for (const [name, find] of Object.entries(finders)) {
    for (const instanceId of [one, another]) {
      const table = tables[name as keyof typeof tables];
      const owners = await db.query(`select instance_id from ${table} where id = $1`, [
        await find(instanceId),
      ]);
      assert.deepEqual(owners, [{ instance_id: instanceId }], name);
    }
  }
});
