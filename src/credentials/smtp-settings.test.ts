import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService } from '../../test/support/test-service.ts';

test('the settings of SMTP are those that mail programs reach, in the panel as over the API', async (t) => {
  const service = await startTestService({ env: { CHASQUI_PUBLIC_SUBMISSION_PORT: '587' } });
  t.after(async () => await service.stop());
  const tenant = await service.tenant();
  const { json } = await tenant.api.get('/v1/smtp-settings');
  assert.equal(json.host, new URL(service.base_url).hostname);
  assert.equal(json.starttls_port, 587, 'as it is mapped');
  const listens = service.service.addresses.submission?.tls.split(':').at(-1);
  assert.equal(json.tls_port, Number(listens), 'as it listens, where the system chose the port');
  const viewer = await signIn(service, tenant, 'viewer');
  assert.deepEqual((await viewer.get('/v1/private/smtp-settings')).json, json);
});
