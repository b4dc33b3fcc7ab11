import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openConsentAccount, type ConsentAccount } from '../../consent/consent-account.fixture.ts';
import { tamper } from '../../consent/chain/tamper.fixture.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { runCommandLine } from '../command-line.ts';

let service: TestService;
let account: ConsentAccount;
let other: ConsentAccount;
before(async () => {
  service = await startTestService({ roles: 'api' });
  account = await openConsentAccount(service);
  other = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  await account.recordDeny('ana@example.com');
  await other.recordAllow('ana@example.com');
});
after(async () => await service.stop());

async function chasqui(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const result = { code: 0, stdout: '', stderr: '' };
  const exitCode = process.exitCode;
  result.code = await runCommandLine(words, {
    env: {
      DATABASE_URL: service.database.url,
      CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    },
    out: (text) => void (result.stdout += text),
    err: (text) => void (result.stderr += text),
  });
  // A command that finds something wrong leaves its mark on the process.
  if (process.exitCode !== exitCode) result.code = Number(process.exitCode);
  process.exitCode = exitCode;
  return result;
}

test('consent evidence tells of one contact in one instance, and notes that it was read', async () => {
  const about = ['consent', 'evidence', '--instance', account.instance.slug, '--contact', 'ANA@example.com'];
  const { code, stdout, stderr } = await chasqui(...about);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    /allow mail for marketing\n.*deny mail for marketing\n.*: intact through 2:[0-9a-f]{64}\n$/,
  );
  const document = JSON.parse((await chasqui(...about, '--json')).stdout);
  assert.equal(document.events.length, 2);
  const page = await chasqui(...about, '--html', '--language', 'en');
  assert.match(page.stdout, /^<!doctype html>[\s\S]*Evidence of consent/);
  const refused = await chasqui(...about, '--html', '--language', 'fr');
  assert.deepEqual([refused.code, /one of es, en/.test(refused.stderr)], [1, true]);
  const notes = await service.db.query(
    `select actor_kind from audit_events where instance_id = $1 and action = 'consent_evidence.read'`,
    [account.instance.id],
  );
  assert.deepEqual(
    notes,
    Array.from({ length: 3 }, () => ({ actor_kind: 'operator' })),
  );
});

test('consent verify and doctor find evidence that was tampered with, and say where', async () => {
  const well = await chasqui('consent', 'verify');
  assert.equal(well.code, 0);
  assert.match(well.stdout, new RegExp(`${other.instance.slug}: intact through 1:`));
  const [, anchor = ''] = /through (\S+)/.exec((await verify(account)).stdout) ?? [];
  assert.equal((await verify(account, '--anchor', anchor)).code, 0);
  assert.equal(
    (
      await verify(
        account,
        '--anchor',
        anchor.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      )
    ).code,
    1,
  );
  assert.match((await verify(account, '--anchor', 'x')).stderr, /SEQUENCE:HASH/);
  assert.match((await chasqui('doctor')).stdout, /ok {4}consents +3 rows of evidence in 2 instances/);
  await tamper(
    service.db,
    async (tx) =>
      await tx.query(`update consent_rules set contact = 'eva@example.com' where instance_id = $1`, [
        account.instance.id,
      ]),
  );
  const ill = await chasqui('consent', 'verify');
  assert.equal(ill.code, 1);
  assert.match(ill.stdout, new RegExp(`${account.instance.slug}: BROKEN, altered at 1 `));
  assert.match(ill.stdout, new RegExp(`${other.instance.slug}: intact`));
  const examined = await chasqui('doctor');
  assert.equal(examined.code, 1);
  assert.match(examined.stdout, /FAIL {2}consents +\S+: BROKEN, altered at 1/);
});

const verify = async ({ instance }: ConsentAccount, ...more: string[]) =>
  await chasqui('consent', 'verify', '--instance', instance.slug, ...more);
