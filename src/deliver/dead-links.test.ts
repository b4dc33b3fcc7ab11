import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Environment } from '../base/config.ts';
import { addVerifiedDomain, sendFrom, startDeliveryBed } from './delivery-bed.fixture.ts';

const real = { sender_email: 'hi@tienda.cl' };

async function bedOf(t: TestContext, env: Environment) {
  const bed = await startDeliveryBed(env);
  t.after(async () => await bed.stop());
  await addVerifiedDomain(bed.service, bed.tenant, 'tienda.cl');
  return { bed, remote: await bed.remote(t) };
}

test('mail of a real domain waits while its links would lead to this machine; other mail leaves', async (t) => {
  const { bed, remote } = await bedOf(t, { CHASQUI_ALLOW_LOCAL_BASE_URL: 'false' });
  await sendFrom(bed.tenant, `ana@${remote.domain}`, real);
  const waiting = async () =>
    await bed.service.db.query<{ attempts: number; last_error: string | null }>(
      'select q.attempts, q.last_error from queue q join mails m using (mail_id) where m.recipient = $1',
      [`ana@${remote.domain}`],
    );
  await waitFor(async () => (await waiting())[0]?.last_error === 'base_url_not_public', {
    what: 'the mail to be postponed',
  });
  assert.deepEqual(await waiting(), [{ attempts: 0, last_error: 'base_url_not_public' }]);
  await bed.send(`bob@${remote.domain}`);
  await bed.becomes(`bob@${remote.domain}`, 3);
  await sendFrom(bed.tenant, 'delivered@sandbox.test', real);
  await bed.becomes('delivered@sandbox.test', 3);
  assert.equal(remote.mx.messages.length, 1);
});

test('mail with dead links is sent if a setting says so', async (t) => {
  const { bed, remote } = await bedOf(t, { CHASQUI_ALLOW_LOCAL_BASE_URL: 'true' });
  await sendFrom(bed.tenant, `ana@${remote.domain}`, real);
  await bed.becomes(`ana@${remote.domain}`, 3);
});
