import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { runCommandLine } from '../command-line.ts';

let service: TestService;
let tenant: Tenant;
let slug: string;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  tenant = await service.tenant();
  ({ slug } = tenant.instance);
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
const send = async (to: string): Promise<string> => {
  const sent = await chasqui('send', '--instance', slug, '--to', to, '--json');
  assert.equal(sent.code, 0, sent.stderr);
  return JSON.parse(sent.stdout).message_id;
};
const becomes = async (msgId: string, status: number): Promise<string> =>
  await waitFor(
    async () => {
      const [mail] = await service.db.query<{ mail_id: string; status: number }>(
        'select mail_id, status from mails where msg_id = $1',
        [msgId],
      );
      return mail?.status === status && mail.mail_id;
    },
    { what: `status ${status}` },
  );

test('a destination is paused, shown, retried and resumed from the command line', async () => {
  assert.equal((await chasqui('queue', 'show')).stdout, 'The queue is empty.\n');
  const lane = ['--instance', slug, '--destination', 'Later.sandbox.test'];
  assert.equal((await chasqui('queue', 'pause', ...lane)).stdout, 'later.sandbox.test is paused.\n');
  const idle = await chasqui('queue', 'show', '--instance', slug);
  assert.match(idle.stdout, /: 0 mails, 0 of them held, first due -\n +0 {2}later\.sandbox\.test +PAUSED\n$/);

  const waiting = await send('a@later.sandbox.test');
  const full = await send('softbounce@full.sandbox.test');
  await becomes(full, 5);
  const shown = await chasqui('queue', 'show');
  assert.match(shown.stdout, new RegExp(`^${slug}: 2 mails, 0 of them held, first due 20`));
  assert.match(shown.stdout, /^ +1 {2}later\.sandbox\.test .* attempts 0 {2}PAUSED$/m);
  assert.match(shown.stdout, /^ +1 {2}full\.sandbox\.test .* attempts 1 {2}mailbox_full$/m);
  const { data } = JSON.parse((await chasqui('queue', 'show', '--instance', slug, '--json')).stdout);
  assert.deepEqual([data.length, data[0].instance, data[0].depth], [1, slug, 2]);

  assert.equal((await chasqui('queue', 'retry', '--instance', slug)).stdout, '1 mails are due now.\n');
  const elsewhere = ['--instance', slug, '--destination', 'nowhere.test', '--json'];
  assert.deepEqual(JSON.parse((await chasqui('queue', 'retry', ...elsewhere)).stdout), {
    retried: 0,
    has_more: false,
  });
  assert.equal((await chasqui('queue', 'resume', ...lane)).stdout, 'later.sandbox.test is not paused.\n');
  await becomes(waiting, 3);
  const trail = await service.db.query<{ action: string }>(
    "select action from audit_events where action like 'queue%' and actor_kind = 'operator' order by id",
  );
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['queue_destination.paused', 'queue.retried', 'queue.retried', 'queue_destination.resumed'],
  );
});

test('captured mail is listed and printed as it would have gone over the wire', async () => {
  const mailId = await becomes(await send('delivered@sandbox.test'), 3);
  const { stdout } = await chasqui('sandbox', 'list', '--instance', slug);
  assert.match(stdout, new RegExp(`^${mailId}  \\S+Z  delivered@sandbox\\.test +Test mail$`, 'm'));
  const source = await chasqui('sandbox', 'show', mailId);
  assert.match(source.stdout, /^Subject: Test mail\r$/m);
  const { raw, recipient } = JSON.parse((await chasqui('sandbox', 'show', mailId, '--json')).stdout);
  assert.deepEqual([`${raw}\n`, recipient], [source.stdout, 'delivered@sandbox.test']);
  const empty = (await service.tenant()).instance.slug;
  assert.equal((await chasqui('sandbox', 'list', '--instance', empty)).stdout, 'The sandbox is empty.\n');
});

for (const [title, words, message] of [
  ['a mail that is not there', ['sandbox', 'show', 'nonsense'], /no mail 'nonsense'.*\(mail_not_found\)/],
  ['no mail', ['sandbox', 'show'], /Give the id of the mail/],
  ['an unknown instance', ['queue', 'show', '--instance', 'nobody'], /\(instance_not_found\)/],
  ['no destination', ['queue', 'pause', '--instance', 'x'], /--destination is required/],
] as const) {
  test(`refused with one line: ${title}`, async () => {
    const { code, stdout, stderr } = await chasqui(...words);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  });
}

test('doctor and metrics find that mails add up, and doctor says when they do not', async () => {
  const before_ = process.exitCode;
  const mailId = await becomes(await send('delivered@sandbox.test'), 3);
  const well = await chasqui('doctor');
  assert.match(
    well.stdout,
    /^ok {4}mails +(\d+) accepted = 0 received \+ \d+ queued \+ \d+ sent .* onhold$/m,
  );
  const metrics = await (await fetch(`${service.metrics_url}/metrics`)).text();
  assert.match(metrics, /^chasqui_mails\{status="sent"\} [1-9]/m);
  assert.match(metrics, /^chasqui_queue_depth \d/m);
  assert.match(metrics, /^chasqui_conservation_violations 0$/m);
  await service.db.query('update mails set status = 2 where mail_id = $1', [mailId]);
  const ill = await chasqui('doctor');
  assert.match(ill.stdout, /^FAIL {2}mails .* 1 wait without a place in the queue, 0 are done/m);
  process.exitCode = before_;
});
