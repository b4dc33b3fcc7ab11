import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const colour = { name: 'Colour', field_key: 'COLOUR', type: 'text' };

test('an instance starts with the six system fields', async () => {
  const { status, json } = await tenant.api.get('/v1/fields');
  assert.equal(status, 200);
  assert.deepEqual(
    json.data.map((field: { field_key: string; is_system: boolean }) => [field.field_key, field.is_system]),
    ['EMAIL', 'PHONE', 'FIRST_NAME', 'LAST_NAME', 'UNIQUECODE', 'ADDRESS'].map((key) => [key, true]),
  );
  assert.deepEqual(json.pagination, {
    page: 1,
    page_size: 20,
    has_more: false,
    total_items: 6,
    total_pages: 1,
  });
});

test('a created field is answered with 201, its Location, and is found there', async () => {
  const created = await tenant.api.post('/v1/fields', colour);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), `/v1/fields/${created.json.id}`);
  assert.equal(created.json.config, null);
  const found = await tenant.api.get(created.headers.get('location') ?? '');
  assert.deepEqual(found.json, created.json);
});

test('a key is taken once; the second caller gets a conflict', async () => {
  const answers = await Promise.all(
    [1, 2, 3].map(async () => await tenant.api.post('/v1/fields', { ...colour, field_key: 'RACE' })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409],
  );
  const refused = answers.find(({ status }) => status === 409);
  assert.equal(refused?.json.code, 'field_key_already_exists');
});

test('the key of a deleted field stays reserved, and the field is listed no more', async () => {
  const { json: field } = await tenant.api.post('/v1/fields', { ...colour, field_key: 'GONE' });
  await service.db.query('update fields set deleted_at = now() where id = $1', [field.id]);
  const again = await tenant.api.post('/v1/fields', { ...colour, field_key: 'GONE' });
  assert.equal(again.status, 409);
  assert.equal(again.json.code, 'field_key_reserved');
  assert.equal((await tenant.api.get(`/v1/fields/${field.id}`)).json.code, 'field_not_found');
});

test('the same key may exist in another instance', async () => {
  const other = await service.tenant();
  assert.equal((await tenant.api.post('/v1/fields', { ...colour, field_key: 'SHARED' })).status, 201);
  assert.equal((await other.api.post('/v1/fields', { ...colour, field_key: 'SHARED' })).status, 201);
  const left = { ...colour, field_key: 'LEFT' };
  const { id } = (await tenant.api.post('/v1/fields', left)).json;
  await service.db.query('update fields set deleted_at = now() where id = $1', [id]);
  assert.equal((await other.api.post('/v1/fields', left)).status, 201);
  const again = await other.api.post('/v1/fields', left);
  assert.equal(again.json.code, 'field_key_already_exists', 'it is reserved in the first alone');
});

test('options are kept as given', async () => {
  const config = {
    options: [
      { value: 'A_1', label: 'Uno' },
      { value: 'B', label: 'Dos' },
    ],
  };
  const { status, json } = await tenant.api.post('/v1/fields', {
    name: 'Choice',
    field_key: 'CHOICE',
    type: 'select',
    config,
  });
  assert.equal(status, 201);
  assert.deepEqual(json.config, config);
});

const select = (options: unknown) => ({ name: 'X', field_key: 'X', type: 'select', config: { options } });
const refusals: [string, unknown, [string, string][]][] = [
  [
    'an empty body lists every missing member',
    {},
    [
      ['/name', 'missing'],
      ['/field_key', 'missing'],
      ['/type', 'missing'],
    ],
  ],
  ['a body that is not an object', [], [['', 'dict_type']]],
  ['an empty name', { ...colour, name: '' }, [['/name', 'string_too_short']]],
  ['a name of 256 characters', { ...colour, name: 'x'.repeat(256) }, [['/name', 'string_too_long']]],
  ['a lower-case key', { ...colour, field_key: 'colour' }, [['/field_key', 'string_pattern_mismatch']]],
  ['a key of 65 characters', { ...colour, field_key: 'A'.repeat(65) }, [['/field_key', 'string_too_long']]],
  ['an unknown type', { ...colour, type: 'color' }, [['/type', 'enum']]],
  ['a name that is not a string', { ...colour, name: 7 }, [['/name', 'string_type']]],
  [
    'several at once',
    { name: '', field_key: 'é', type: 1 },
    [
      ['/name', 'string_too_short'],
      ['/field_key', 'string_pattern_mismatch'],
      ['/type', 'enum'],
    ],
  ],
  ['a config that is not an object', { ...colour, config: 'x' }, [['/config', 'dict_type']]],
  ['a select without options', { ...colour, type: 'select' }, [['/config/options', 'missing']]],
  ['no options at all', select([]), [['/config/options', 'too_short']]],
  ['an option without a label', select([{ value: 'A' }]), [['/config/options/0/label', 'missing']]],
  [
    'a lower-case option value',
    select([{ value: 'a', label: 'A' }]),
    [['/config/options/0/value', 'string_pattern_mismatch']],
  ],
  [
    'an option value of 33 characters',
    select([{ value: 'A'.repeat(33), label: 'A' }]),
    [['/config/options/0/value', 'string_too_long']],
  ],
  [
    'two options with one value',
    select([
      { value: 'A', label: 'A' },
      { value: 'A', label: 'B' },
    ]),
    [['/config/options/1/value', 'value_error.duplicate']],
  ],
];
for (const [title, body, expected] of refusals) {
  test(`refused with 422: ${title}`, async () => {
    const { status, json } = await tenant.api.post('/v1/fields', body);
    assert.equal(status, 422);
    assert.equal(json.code, 'validation_error');
    const found = json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
    assert.deepEqual(found, expected);
  });
}

test('the limits themselves are accepted', async () => {
  const largest = { name: 'x'.repeat(255), field_key: 'A'.repeat(64), type: 'multiselect' };
  const options = [{ value: 'V'.repeat(32), label: 'l'.repeat(255) }];
  assert.equal((await tenant.api.post('/v1/fields', { ...largest, config: { options } })).status, 201);
});

test('is_active filters, and pages follow each other without gap or overlap', async () => {
  const own = await service.tenant();
  for (let n = 0; n < 5; n += 1) await own.api.post('/v1/fields', { ...colour, field_key: `K${n}` });
  await service.db.query(
    "update fields set is_active = false where instance_id = $1 and field_key in ('K0', 'K1')",
    [own.instance.id],
  );
  const inactive = await own.api.get('/v1/fields?is_active=false');
  assert.deepEqual(
    inactive.json.data.map((field: { field_key: string }) => field.field_key),
    ['K0', 'K1'],
  );
  const keys: string[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const { json } = await own.api.get(`/v1/fields?page=${page}&page_size=4`);
    keys.push(...json.data.map((field: { field_key: string }) => field.field_key));
    more = json.pagination.has_more;
    assert.equal(json.pagination.total_items, 11);
    assert.equal(json.pagination.total_pages, 3);
  }
  assert.equal(new Set(keys).size, 11);
  const beyond = await own.api.get('/v1/fields?page=9&page_size=4');
  assert.deepEqual([beyond.json.data, beyond.json.pagination.total_items], [[], 11]);
});

test('a list costs one round trip to the database once the key is known', async () => {
  const { Database } = await import('../base/db/database.ts');
  const { listFields } = await import('./fields.ts');
  const db = new Database({
    connection: service.database.connection,
    pool_size: 2,
    pipelines: 0,
    on_error: () => undefined,
  });
  const sent = db.round_trips;
  await listFields(db, tenant.instance.id, {});
  assert.equal(db.round_trips - sent, 1);
  await db.end();
});
