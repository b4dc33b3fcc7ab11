import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
let admin: PanelUser;
let developer: PanelUser;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  admin = await signIn(service, tenant, 'admin');
  developer = await signIn(service, tenant, 'developer');
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

const purposes = '/v1/private/consent-purposes';
const terms = '/v1/private/consent-terms';
let made = 0;

async function newPurpose(): Promise<number> {
  return (await developer.post(purposes, { code: `purpose-${(made += 1)}`, name: 'Purpose' })).json.id;
}

// oxlint-disable-next-line typescript/no-explicit-any
async function newTerm(more: object = {}): Promise<any> {
  const term = { name: 'Term', type: 'marketing', purpose_ids: [await newPurpose()], channels: ['mail'] };
  return (await developer.post(terms, { ...term, ...more })).json;
}

async function auditOf(kind: string, id: number): Promise<{ action: string; details: unknown }[]> {
  return await service.db.query(
    'select action, details from audit_events where instance_id = $1 and object_kind = $2 and object_id = $3 order by id',
    [tenant.instance.id, kind, String(id)],
  );
}

test('an instance starts with two enabled purposes, told as integers', async () => {
  const fresh = await service.tenant();
  const { status, json } = await fresh.api.get('/v1/consent-purposes');
  assert.equal(status, 200);
  assert.deepEqual(
    json.data.map(({ id: _id, ...purpose }: { id: number }) => purpose),
    [
      { external_id: null, code: 'marketing', name: 'Marketing', description: null, is_enabled: 1 },
      { external_id: null, code: 'newsletter', name: 'Newsletter', description: null, is_enabled: 1 },
    ],
  );
});

test('purposes are filtered by is_enabled as a boolean, and told as 0 and 1', async () => {
  const own = await service.tenant();
  const panel = await signIn(service, own, 'developer');
  const { json: all } = await own.api.get('/v1/consent-purposes');
  const disabled = await panel.patch(`${purposes}/${all.data[0].id}`, { is_enabled: false });
  assert.equal(disabled.json.is_enabled, 0);
  const codes = async (query: string): Promise<string[]> =>
    (await own.api.get(`/v1/consent-purposes${query}`)).json.data.map(({ code }: { code: string }) => code);
  assert.deepEqual(await codes('?is_enabled=false'), ['marketing']);
  assert.deepEqual(await codes('?is_enabled=true'), ['newsletter']);
  assert.deepEqual(await codes(''), ['marketing', 'newsletter']);
  assert.equal((await panel.patch(`${purposes}/${all.data[0].id}`, { is_enabled: true })).json.is_enabled, 1);
});

test('a purpose is created, changed and deleted, each act in the trail', async () => {
  const wanted = { code: 'events', name: 'Events', description: 'Invitations' };
  const created = await developer.post(purposes, wanted);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), `${purposes}/${created.json.id}`);
  const { id } = created.json;
  assert.deepEqual(created.json, { id, external_id: null, ...wanted, is_enabled: 1 });
  assert.deepEqual((await viewer.get(`${purposes}/${id}`)).json, created.json);
  const changes = { name: 'Events of ours', description: null };
  const changed = await developer.patch(`${purposes}/${id}`, { ...changes, code: 'ignored' });
  assert.deepEqual(changed.json, { ...created.json, ...changes }, 'its code stays');
  assert.deepEqual((await developer.patch(`${purposes}/${id}`, changes)).json, changed.json);
  assert.equal((await admin.delete(`${purposes}/${id}`)).status, 204);
  assert.equal((await admin.delete(`${purposes}/${id}`)).json.code, 'consent_purpose_not_found');
  assert.deepEqual(
    (await auditOf('consent_purpose', id)).map(({ action }) => action),
    ['consent_purpose.created', 'consent_purpose.updated', 'consent_purpose.deleted'],
  );
});

test('a code is taken once', async () => {
  const again = await developer.post(purposes, { code: 'marketing', name: 'Again' });
  assert.deepEqual([again.status, again.json.code], [409, 'consent_purpose_already_exists']);
});

for (const [title, body, expected] of [
  ['no code and no name', {}, ['/code missing', '/name missing']],
  ['a code in capitals', { code: 'News', name: 'x' }, ['/code string_pattern_mismatch']],
  ['a code of 65 characters', { code: 'a'.repeat(65), name: 'x' }, ['/code string_too_long']],
  ['a blank name', { code: 'x', name: ' ' }, ['/name string_pattern_mismatch']],
] as const) {
  test(`a purpose is refused with 422: ${title}`, async () => {
    const { status, json } = await developer.post(purposes, body);
    assert.equal(status, 422);
    const found = json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    assert.deepEqual(found, expected);
  });
}

test('a purpose of a term or a sender cannot be deleted, only disabled', async () => {
  const ofTerm = (await newTerm()).purpose_ids[0];
  const ofSender = await newPurpose();
  const sender = {
    name: 'S',
    email_address: `consent@${tenant.instance.slug}.sandbox.test`,
    requires_consent: true,
    consent_purpose_id: ofSender,
  };
  assert.equal((await developer.post('/v1/private/senders', sender)).status, 201);
  for (const id of [ofTerm, ofSender]) {
    const refused = await admin.delete(`${purposes}/${id}`);
    assert.deepEqual([refused.status, refused.json.code], [409, 'consent_purpose_in_use']);
    assert.equal((await developer.patch(`${purposes}/${id}`, { is_enabled: false })).status, 200);
  }
});

test('a term is created with its purposes and channels, and listed with its versions', async () => {
  const own = await service.tenant();
  const panel = await signIn(service, own, 'developer');
  const { json: listed } = await own.api.get('/v1/consent-purposes');
  const purpose_ids = listed.data.map(({ id }: { id: number }) => id);
  const wanted = { name: 'News', type: 'subscription', channels: ['sms', 'mail'] };
  const given = { ...wanted, purpose_ids: [...purpose_ids.toReversed(), ...purpose_ids] };
  const created = await panel.post(terms, given);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), `${terms}/${created.json.id}`);
  const { id, created_at, updated_at } = created.json;
  assert.deepEqual(created.json, {
    id,
    external_id: null,
    ...wanted,
    purpose_ids,
    is_active: true,
    created_at,
    updated_at,
    versions: [],
  });
  const version = { version: '1.0', body: 'Acepto.', document_url: 'https://acme.example/1.pdf' };
  const added = await panel.post(`${terms}/${id}/versions`, version);
  assert.equal(added.status, 201);
  assert.deepEqual(added.json, { id: added.json.id, ...version, is_current: false, published_at: null });
  const { json } = await own.api.get('/v1/consent-terms');
  assert.deepEqual(json.data[0].versions, [added.json]);
  assert.deepEqual((await panel.get(`${terms}/${id}`)).json, json.data[0]);
  assert.deepEqual(json.pagination, {
    page: 1,
    page_size: 20,
    has_more: false,
    total_items: 1,
    total_pages: 1,
  });
});

for (const [title, more] of [
  ['no purposes', { purpose_ids: [] }],
  ['no channels', { channels: [] }],
  ['neither member', { purpose_ids: undefined, channels: undefined }],
] as const) {
  test(`a term with ${title} is a 409 of its own`, async () => {
    const whole = { name: 'T', type: 'other', purpose_ids: [await newPurpose()], channels: ['mail'] };
    const { status, json } = await developer.post(terms, { ...whole, ...more });
    assert.deepEqual([status, json.code], [409, 'consent_term_missing_channels_or_purposes']);
  });
}

test('a term is for enabled purposes of its own instance', async () => {
  const other = await service.tenant();
  const foreign = (await other.api.get('/v1/consent-purposes')).json.data[0].id;
  const disabled = await newPurpose();
  await developer.patch(`${purposes}/${disabled}`, { is_enabled: false });
  const purpose_ids = [await newPurpose(), foreign, disabled];
  const term = { name: 'T', type: 'other', purpose_ids, channels: ['fax', 'mail'] };
  assert.deepEqual(
    (await developer.post(terms, term)).json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/channels/0'],
  );
  const { status, json } = await developer.post(terms, { ...term, channels: ['mail'] });
  assert.equal(status, 422);
  assert.deepEqual(
    json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
    ['/purpose_ids/1 value_error.purpose', '/purpose_ids/2 value_error.purpose_disabled'],
  );
});

test('a term changes its name, its channels and whether it is active, never its purposes', async () => {
  const term = await newTerm();
  const { id, purpose_ids } = term;
  const other = await newPurpose();
  const changes = { name: 'Renamed', channels: ['push', 'push', 'mail'], is_active: false };
  const { status, json } = await developer.patch(`${terms}/${id}`, { ...changes, purpose_ids: [other] });
  assert.equal(status, 200);
  assert.deepEqual(
    [json.name, json.channels, json.is_active, json.purpose_ids],
    ['Renamed', ['push', 'mail'], false, purpose_ids],
  );
  assert.equal(
    (await developer.patch(`${terms}/${id}`, { name: 'Renamed' })).json.updated_at,
    json.updated_at,
  );
  const empty = await developer.patch(`${terms}/${id}`, { channels: [] });
  assert.equal(empty.json.code, 'consent_term_missing_channels_or_purposes');
  const trail = await auditOf('consent_term', id);
  assert.deepEqual(trail.at(-1), {
    action: 'consent_term.updated',
    details: {
      before: { name: 'Term', is_active: true, channels: ['mail'] },
      after: { name: 'Renamed', is_active: false, channels: ['push', 'mail'] },
    },
  });
});

test('publishing does not make current, and at most one version is current', async () => {
  const { id } = await newTerm();
  const add = async (version: string): Promise<number> =>
    (await developer.post(`${terms}/${id}/versions`, { version, body: `Text of ${version}` })).json.id;
  const [one, two] = [await add('1'), await add('2')];
  const path = (version: number): string => `${terms}/${id}/versions/${version}`;
  const early = await admin.post(`${path(one)}/set-current`);
  assert.deepEqual([early.status, early.json.code], [409, 'consent_term_version_not_published']);
  const published = await admin.post(`${path(one)}/publish`);
  assert.deepEqual([published.status, published.json.is_current], [200, false]);
  assert.match(published.json.published_at, /Z$/);
  assert.deepEqual((await admin.post(`${path(one)}/publish`)).json, published.json, 'again is the same');
  assert.equal((await admin.post(`${path(one)}/set-current`)).json.is_current, true);
  await admin.post(`${path(two)}/publish`);
  const current = async (): Promise<string[]> =>
    (await viewer.get(`${terms}/${id}`)).json.versions
      .filter((version: { is_current: boolean }) => version.is_current)
      .map(({ version }: { version: string }) => version);
  assert.deepEqual(await current(), ['1']);
  await admin.post(`${path(two)}/set-current`);
  await admin.post(`${path(two)}/set-current`);
  assert.deepEqual(await current(), ['2']);
  assert.deepEqual(
    (await auditOf('consent_term', id)).map(({ action }) => action.replace('consent_term.', '')),
    [
      'created',
      'version_added',
      'version_added',
      'version_published',
      'version_made_current',
      'version_published',
      'version_made_current',
    ],
  );
});

test('versions made current at the same time leave one current', async () => {
  const { id } = await newTerm();
  const ids: number[] = [];
  for (const version of ['a', 'b', 'c', 'd']) {
    const added = await developer.post(`${terms}/${id}/versions`, { version, body: 'x' });
    ids.push(added.json.id);
    await admin.post(`${terms}/${id}/versions/${added.json.id}/publish`);
  }
  const answers = await Promise.all(
    ids.map(async (each) => await admin.post(`${terms}/${id}/versions/${each}/set-current`)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const [row] = await service.db.query(
    'select count(*) as n from consent_term_versions where term_id = $1 and is_current',
    [id],
  );
  assert.deepEqual(row, { n: 1 });
});

test('a draft can be changed and deleted, a published version cannot, not even in the database', async () => {
  const { id, purpose_ids } = await newTerm();
  const added = await developer.post(`${terms}/${id}/versions`, { version: '1', body: 'Frist' });
  const path = `${terms}/${id}/versions/${added.json.id}`;
  const fixed = await developer.patch(path, { body: 'First' });
  assert.deepEqual([fixed.json.body, fixed.json.version], ['First', '1']);
  const spare = await developer.post(`${terms}/${id}/versions`, { version: '2', body: 'x' });
  assert.equal((await developer.delete(`${terms}/${id}/versions/${spare.json.id}`)).status, 204);
  await admin.post(`${path}/publish`);
  for (const refused of [await developer.patch(path, { body: 'Other' }), await developer.delete(path)]) {
    assert.deepEqual([refused.status, refused.json.code], [409, 'consent_term_version_published']);
  }
  for (const sql of [
    `update consent_term_versions set body = 'Other' where id = $1`,
    `update consent_term_versions set version = '9' where id = $1`,
    `update consent_term_versions set document_url = 'https://x.example' where id = $1`,
    `update consent_term_versions set published_at = null where id = $1`,
    'delete from consent_term_versions where id = $1',
  ]) {
    await assert.rejects(service.db.query(sql, [added.json.id]), /stays as it is/, sql);
  }
  for (const sql of [
    'update consent_term_purposes set purpose_id = $2 where purpose_id = $1',
    'delete from consent_term_purposes where purpose_id in ($1, $2)',
  ]) {
    const values = [purpose_ids[0], await newPurpose()];
    await assert.rejects(service.db.query(sql, values), /stay as they are/, sql);
  }
});

test('a label is unique in a term, and a version is found only in its own term', async () => {
  const [term, other] = [await newTerm(), await newTerm()];
  const version = { version: '1', body: 'x' };
  const added = await developer.post(`${terms}/${term.id}/versions`, version);
  const again = await developer.post(`${terms}/${term.id}/versions`, version);
  assert.deepEqual([again.status, again.json.code], [409, 'consent_term_version_already_exists']);
  assert.equal((await developer.post(`${terms}/${other.id}/versions`, version)).status, 201);
  const astray = await admin.post(`${terms}/${other.id}/versions/${added.json.id}/publish`);
  assert.deepEqual([astray.status, astray.json.code], [404, 'consent_term_version_not_found']);
});

for (const [title, body, expected] of [
  ['no text', { version: '1' }, ['/body missing']],
  ['a blank text', { version: '1', body: ' \n' }, ['/body string_pattern_mismatch']],
  ['a label with a line end', { version: '1\n2', body: 'x' }, ['/version string_pattern_mismatch']],
  [
    'a script as document',
    { version: '1', body: 'x', document_url: 'javascript:alert(1)' },
    ['/document_url value_error.url'],
  ],
  ['too many bytes', { version: '1', body: 'é'.repeat(131_073) }, ['/body value_error.too_large']],
] as const) {
  test(`a version is refused with 422: ${title}`, async () => {
    const { id } = await newTerm();
    const { status, json } = await developer.post(`${terms}/${id}/versions`, body);
    assert.equal(status, 422);
    const found = json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    assert.deepEqual(found, expected);
  });
}

test('all texts of an instance together are bounded, since lists tell them in full', async () => {
  const own = await service.tenant();
  const panel = await signIn(service, own, 'developer');
  const { json: listed } = await own.api.get('/v1/consent-purposes');
  const term = { name: 'T', type: 'other', purpose_ids: [listed.data[0].id], channels: ['mail'] };
  const { id } = (await panel.post(terms, term)).json;
  await service.db.query(
    `insert into consent_term_versions (term_id, version, body)
     select $1, n::text, repeat('x', 262144) from generate_series(1, 64) n`,
    [id],
  );
  const refused = await panel.post(`${terms}/${id}/versions`, { version: 'one more', body: 'x' });
  assert.deepEqual([refused.status, refused.json.code], [409, 'consent_term_texts_too_large']);
  const elsewhere = await newTerm();
  const taken = await developer.post(`${terms}/${elsewhere.id}/versions`, { version: '1', body: 'x' });
  assert.equal(taken.status, 201, taken.text);
});

test('viewers read, developers draft, admins decide', async () => {
  const term = await newTerm();
  const { id, purpose_ids } = term;
  const version = { version: '1', body: 'x' };
  const added = await developer.post(`${terms}/${id}/versions`, version);
  const path = `${terms}/${id}/versions/${added.json.id}`;
  for (const read of [purposes, `${purposes}/${purpose_ids[0]}`, terms, `${terms}/${id}`]) {
    assert.equal((await viewer.get(read)).status, 200, read);
  }
  const refused = await Promise.all([
    viewer.post(purposes, { code: 'v', name: 'v' }),
    viewer.patch(`${purposes}/${purpose_ids[0]}`, { name: 'v' }),
    developer.delete(`${purposes}/${purpose_ids[0]}`),
    viewer.post(terms, { name: 'v', type: 'other' }),
    viewer.patch(`${terms}/${id}`, { name: 'v' }),
    viewer.post(`${terms}/${id}/versions`, version),
    viewer.patch(path, { body: 'v' }),
    viewer.delete(path),
    developer.post(`${path}/publish`),
    developer.post(`${path}/set-current`),
  ]);
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([403]));
});

test('the catalogue needs consent:read', async () => {
  const { api } = await service.tenant({ scopes: ['consent:write'] });
  for (const path of ['/v1/consent-terms', '/v1/consent-purposes']) {
    assert.equal((await api.get(path)).json.code, 'forbidden', path);
  }
});
