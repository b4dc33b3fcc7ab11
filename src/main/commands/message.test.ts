import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { runCommandLine } from '../command-line.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function chasqui(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const result = { code: 0, stdout: '', stderr: '' };
  result.code = await runCommandLine([...words, '--instance', tenant.instance.slug], {
    env: {
      DATABASE_URL: service.database.url,
      CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    },
    out: (text) => void (result.stdout += text),
    err: (text) => void (result.stderr += text),
  });
  return result;
}

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

test('a message is scheduled, shown, moved and cancelled from the command line', async () => {
  const at = inHours(5);
  const to = ['--to', 'a@sandbox.test,b@sandbox.test'];
  const sent = await chasqui('send', ...to, '--schedule-at', at, '--json');
  assert.equal(sent.code, 0, sent.stderr);
  const { message_id } = JSON.parse(sent.stdout);
  const shown = await chasqui('message', 'show', '--message', message_id);
  assert.match(shown.stdout, new RegExp(`scheduled for ${at}\n2 queued; 2 can be cancelled`));
  const later = inHours(9);
  const moved = await chasqui('message', 'schedule', '--message', message_id, '--at', later, '--json');
  const { rescheduled, schedule_at } = JSON.parse(moved.stdout);
  assert.deepEqual([rescheduled, schedule_at], [2, later]);
  const cancelled = await chasqui('message', 'cancel', '--message', message_id);
  assert.match(cancelled.stdout, /^2 mails are cancelled\./);
  const late = await chasqui('message', 'schedule', '--message', message_id, '--at', later);
  assert.deepEqual(
    [late.code, /No mail of the message can be changed any more/.test(late.stderr)],
    [1, true],
  );
  const refused = await chasqui('send', ...to, '--schedule-at', 'tomorrow');
  assert.deepEqual([refused.code, /RFC 3339/.test(refused.stderr)], [1, true]);
});

test('a group is cancelled to its end', async () => {
  await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'a@sandbox.test' }, { email: 'b@sandbox.test' }],
    subject: 'Hola',
    html: '<p>Hola</p>',
    custom_group_code: 'spring',
    schedule_at: inHours(1),
  });
  const cancel = async () =>
    JSON.parse((await chasqui('message', 'cancel', '--group', 'spring', '--json')).stdout);
  assert.deepEqual(await cancel(), { cancelled: 2 });
  assert.deepEqual(await cancel(), { cancelled: 0 });
});
