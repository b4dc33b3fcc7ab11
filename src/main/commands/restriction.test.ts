import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { recordComplaint } from '../../events/record-complaint.ts';
import { recordUnsubscribe } from '../../events/record-unsubscribe.ts';
import { acceptedMail } from '../../events/sent-mail.fixture.ts';
import { runCommandLine } from '../command-line.ts';

let service: TestService;
let tenant: Tenant;
let folder: string;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  folder = await mkdtemp(path.join(tmpdir(), 'chq-restriction-'));
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function chasqui(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' };
  const env = { DATABASE_URL: service.database.url, CHASQUI_DATA_DIR: folder };
  const code = await runCommandLine([...words, '--instance', tenant.instance.slug], {
    env,
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
  });
  return { code, ...printed };
}
// oxlint-disable-next-line typescript/no-explicit-any
async function json(...words: string[]): Promise<any> {
  const { code, out, err } = await chasqui(...words, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test('addresses are restricted, listed, imported and lifted', async () => {
  const added = await json('restriction', 'add', 'Ana@Example.com', '--detail', 'Asked by phone');
  assert.deepEqual([added.recipient, added.reason], ['Ana@example.com', 'manual']);
  assert.match(
    (await chasqui('restriction', 'add', 'ana@example.com')).err,
    /mail_restriction_already_exists/,
  );
  assert.match((await chasqui('restriction', 'add', 'nobody')).err, /not a valid email/);
  assert.match((await chasqui('restriction', 'add')).err, /Give the address/);

  const file = path.join(folder, 'list.csv');
  await writeFile(file, 'email,reason\nbea@example.com,complaint\nana@example.com,\nnobody,\n');
  const { out } = await chasqui('restriction', 'import', file);
  assert.equal(out, '3 rows: 1 added, 1 restricted already, 1 refused\n  line 4: invalid_email: "nobody"\n');
  assert.match((await chasqui('restriction', 'import', `${file}.none`)).err, /ENOENT/);

  const { data } = await json('restriction', 'list', '--recipient', 'EXAMPLE');
  assert.deepEqual(
    data.map(({ recipient }: { recipient: string }) => recipient),
    ['bea@example.com', 'Ana@example.com'],
  );
  await json('restriction', 'remove', 'ANA@example.com');
  assert.match((await chasqui('restriction', 'remove', 'ana@example.com')).err, /mail_restriction_not_found/);
  assert.match(
    (await chasqui('restriction', 'list')).out,
    /^ID +CREATED [^\n]+\n\d+ +\S+Z {2}bea@example\.com {2}complaint\n$/,
  );
});

test('unsubscribes and complaints are listed', async () => {
  assert.equal((await chasqui('unsubscribe', 'list')).out, 'There are no unsubscribes.\n');
  const mail_id = await acceptedMail(service, tenant, 'cid@sandbox.test');
  await recordUnsubscribe(service.db, { mail_id, method: 'mailto', reason: 'Enough', at: new Date() });
  await recordComplaint(service.db, { mail_id, type: 'spam', comment: null, at: new Date() });
  assert.match((await chasqui('unsubscribe', 'list')).out, /cid@sandbox\.test {2}mailto +Enough/);
  assert.match((await chasqui('complaint', 'list')).out, /cid@sandbox\.test {2}spam/);
  assert.equal((await json('complaint', 'list')).data[0].mail_id, mail_id);
});
