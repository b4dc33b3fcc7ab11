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
  folder = await mkdtemp(path.join(tmpdir(), 'chq-consent-'));
  await writeFile(path.join(folder, 'terms.txt'), 'Acepto recibir el boletín.\n');
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function chasqui(...words: string[]): Promise<Ended> {
  const env = { DATABASE_URL: service.database.url, CHASQUI_DATA_DIR: folder };
  return await runCommand([...words, '--instance', tenant.instance.slug], env);
}
// oxlint-disable-next-line typescript/no-explicit-any
async function json(...words: string[]): Promise<any> {
  const { code, stdout, stderr } = await chasqui(...words, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test('a purpose is created, listed, disabled, enabled and deleted by its code', async () => {
  const created = await json('purpose', 'create', '--code', 'events', '--name', 'Events');
  assert.deepEqual([created.code, created.is_enabled], ['events', 1]);
  assert.equal((await json('purpose', 'disable', 'events')).is_enabled, 0);
  assert.match(
    (await chasqui('purpose', 'list')).stdout,
    /^ID +STATE +CODE +NAME\n[^]*enabled {3}marketing[^]*disabled {2}events +Events\n$/,
  );
  assert.equal((await json('purpose', 'enable', 'events')).is_enabled, 1);
  assert.deepEqual(await json('purpose', 'delete', 'events'), { id: created.id });
  assert.match((await chasqui('purpose', 'delete', 'events')).stderr, /There is no purpose 'events'/);
});

const wanted = ['--name', 'News', '--type', 'subscription', '--channels', 'mail,sms', '--version', '1.0'];

test('a term is created from a file, current at once, and lives on', async () => {
  const given = [
    ...wanted,
    '--purposes',
    'newsletter,marketing',
    '--body',
    `@${path.join(folder, 'terms.txt')}`,
    '--current',
  ];
  const term = await json('term', 'create', ...given);
  assert.deepEqual(term, (await tenant.api.get('/v1/consent-terms')).json.data[0]);
  const [version] = term.versions;
  assert.deepEqual(
    [term.channels, term.purpose_ids.length, version.body, version.is_current],
    [['mail', 'sms'], 2, 'Acepto recibir el boletín.\n', true],
  );
  const id = String(term.id);
  const added = await json('term', 'add-version', id, '--version', '1.1', '--body', 'Acepto.');
  assert.deepEqual([added.is_current, added.published_at], [false, null]);
  assert.match((await chasqui('term', 'set-current', id, '--version', '1.1')).stderr, /not_published/);
  assert.equal((await json('term', 'publish', id, '--version', '1.1')).is_current, false);
  assert.equal((await json('term', 'set-current', id, '--version', '1.1')).is_current, true);
  assert.match((await chasqui('term', 'list')).stdout, /News {2}version 1\.1 is current\n$/);
  assert.match((await chasqui('term', 'publish', id, '--version', '7')).stderr, /has no version '7'/);
  assert.equal((await json('term', 'deactivate', id)).is_active, false);
  assert.equal((await json('term', 'activate', id)).is_active, true);
});

test('the first version is a draft without --current', async () => {
  const term = await json('term', 'create', ...wanted, '--purposes', 'newsletter', '--body', 'x');
  assert.deepEqual(
    term.versions.map(({ is_current, published_at }: Record<string, unknown>) => [is_current, published_at]),
    [[false, null]],
  );
});

for (const [title, words, message] of [
  ['no purposes', ['--body', 'x'], /consent_term_missing_channels_or_purposes/],
  ['an unknown purpose', ['--body', 'x', '--purposes', 'spam'], /There is no purpose 'spam'/],
  ['no text', ['--purposes', 'newsletter'], /--body is required/],
  ['an unknown type', ['--body', 'x', '--purposes', 'newsletter', '--type', 'law'], /validation_error/],
] as const) {
  test(`a term is refused with one line: ${title}`, async () => {
    const { code, stdout, stderr } = await chasqui('term', 'create', ...wanted, ...words);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  });
}
