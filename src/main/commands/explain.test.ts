import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { runCommandLine } from '../command-line.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
});
after(async () => await service.stop());

async function chasqui(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const result = { code: 0, stdout: '', stderr: '' };
  result.code = await runCommandLine(words, {
    env: {
      DATABASE_URL: service.database.url,
      CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    },
    out: (text) => void (result.stdout += text),
    err: (text) => void (result.stderr += text),
  });
  return result;
}

test('explains a mail of any instance by its id, in either language and as JSON', async () => {
  const { slug } = (await service.tenant()).instance;
  await chasqui('send', '--instance', slug, '--to', 'bounce@sandbox.test');
  const mailId = await waitFor(
    async () => {
      const [mail] = await service.db.query<{ mail_id: string }>(
        'select mail_id from mails where status = 6',
      );
      return mail?.mail_id;
    },
    { what: 'the bounce' },
  );
  const { code, stdout, stderr } = await chasqui('explain', mailId);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Not delivered: the address does not exist\n\n/);
  assert.match(stdout, /^ {2}- Check the address for typing errors/m);
  assert.match(
    stdout,
    /^20\S+Z {2}Attempt 1 at sandbox: permanently rejected \(no_such_user\)\. Reply: "550 5\.1\.1 /m,
  );
  assert.match(
    stdout,
    /\ncause no_such_user, side recipient; sandbox\.test in 24 hours: 1 mails, 1 with the same cause\n$/,
  );
  const log = await chasqui('logs', mailId);
  assert.match(log.stdout, /^AT +EVENT +ATTEMPT +SERVER +CODE +REASON +NEXT +ANSWER\n20\S+Z {2}received\n/);
  assert.match(log.stdout, /^20\S+Z {2}bounced +1 +sandbox +550 +no_such_user +550 5\.1\.1 /m);
  const spanish = await chasqui('explain', mailId.toUpperCase(), '--language', 'es');
  assert.match(spanish.stdout, /^No entregado: la dirección no existe\n/);
  const json = JSON.parse((await chasqui('explain', mailId, '--json')).stdout);
  assert.deepEqual([json.mail_id, json.cause], [mailId, { code: 'no_such_user', side: 'recipient' }]);
});

for (const [title, words, message] of [
  ['no mail', ['explain'], /Give the id of the mail/],
  ['a log of no mail', ['logs'], /Give the id of the mail/],
  [
    'a log of a mail that is not there',
    ['logs', '019a84f2-7c00-7000-8000-2f6d1c3b5a7a'],
    /\(mail_not_found\)/,
  ],
  ['nonsense', ['explain', 'nonsense'], /\(mail_not_found\)/],
  ['a mail that is not there', ['explain', '019a84f2-7c00-7000-8000-2f6d1c3b5a7a'], /\(mail_not_found\)/],
  ['another language', ['explain', 'x', '--language', 'fr'], /--language is one of en, es/],
] as const) {
  test(`refused with one line: ${title}`, async () => {
    const { code, stdout, stderr } = await chasqui(...words);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  });
}
