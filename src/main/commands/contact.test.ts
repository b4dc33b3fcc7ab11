import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createFormAccount, type FormAccount } from '../../forms/form-account.fixture.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { runCommandLine } from '../command-line.ts';

let service: TestService;
let account: FormAccount;
let folder: string;
before(async () => {
  service = await startTestService({ roles: 'api' });
  account = await createFormAccount(service);
  folder = await mkdtemp(path.join(tmpdir(), 'chq-contact-'));
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function chasqui(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' };
  const env = {
    DATABASE_URL: service.database.url,
    CHASQUI_DATA_DIR: folder,
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
  };
  const code = await runCommandLine([...words, '--instance', account.instance.slug], {
    env,
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
  });
  return { code, ...printed };
}

test('a file is tried out, imported with its provenance, and its contacts are shown', async () => {
  const file = path.join(folder, 'people.csv');
  await writeFile(file, 'Correo;FIRST_NAME\nana@example.com;Ana\nnobody;Beto\n');
  const said = ['--term', String(account.term_id), '--method', 'single_opt_in', '--origin', 'Counter'];
  const run = ['contact', 'import', file, ...said];
  assert.match((await chasqui(...run)).err, /when the people agreed/);
  assert.match((await chasqui(...run, '--consented-at', 'soon')).err, /not an ISO date/);
  const dated = [...run, '--consented-at', '2026-10-02'];
  assert.match((await chasqui(...dated, '--dry-run')).out, /^Dry run[^]*2 of 2 lines: 1 consents recorded/);
  assert.match((await chasqui('contact', 'show', 'ana@example.com')).err, /contact_not_found/);
  const imported = await chasqui(...dated);
  assert.equal(imported.code, 0, imported.err);
  assert.match(imported.out, /1 refused\n {2}line 3: invalid_email/);
  assert.match((await chasqui('contact', 'show', 'ana@example.com')).out, /FIRST_NAME: "Ana"[^]*allow since/);
});
