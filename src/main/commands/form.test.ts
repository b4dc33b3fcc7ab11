import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand, type Ended } from '../../../test/support/run-command.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
let folder: string;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  folder = await mkdtemp(path.join(tmpdir(), 'chq-form-'));
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function chasqui(...words: string[]): Promise<Ended> {
  const env = { DATABASE_URL: service.database.url, CHASQUI_DATA_DIR: folder };
  return await runCommand(['form', ...words, '--instance', tenant.instance.slug], env);
}

async function create(form: unknown) {
  const file = path.join(folder, 'form.json');
  await writeFile(file, typeof form === 'string' ? form : JSON.stringify(form));
  return await chasqui('create', `@${file}`, '--json');
}

const form = { name: 'Contact', kind: 'advanced', type: 'registration' };

test('a form is made of a file that names fields by their keys, shown and listed', async () => {
  const items = [{ kind: 'field', field_key: 'EMAIL', is_required: true }, { kind: 'divider' }];
  const created = await create({ ...form, items });
  assert.equal(created.code, 0, created.stderr);
  const printed = JSON.parse(created.stdout);
  assert.deepEqual((await tenant.api.get(`/v1/forms/${printed.id}`)).json, printed);
  const shown = await chasqui('show', String(printed.id));
  assert.deepEqual(JSON.parse(shown.stdout), printed);
  assert.match((await chasqui('list')).stdout, /^ID +STATE +KIND +NAME\n\d+ +active +advanced {2}Contact\n$/);
});

test('an invalid file is reported in one line', async () => {
  for (const [given, message] of [
    [{ ...form, items: [{ kind: 'field', field_key: 'NONE' }] }, /There is no field 'NONE'/],
    [{ ...form, items: [{ kind: 'consent', term_id: 9 }] }, /no such consent term/],
    [{ items: [] }, /validation_error/],
    ['{', /form\.json is not JSON/],
  ] as const) {
    const { code, stdout, stderr } = await create(given);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
    assert.match(stderr, /^chasqui: .*\n$/);
  }
  assert.match((await chasqui('create', 'form.json')).stderr, /Give @/);
});
