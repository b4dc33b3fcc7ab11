import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAccepting } from '../accept/account.fixture.ts';

test('an empty CHASQUI_COMPAT serves no other API', async () => {
  const service = await startAccepting({ env: { CHASQUI_COMPAT: '' } });
  try {
    for (const path of ['/emails', '/compat/resend/emails', '/email', '/v3/mail/send']) {
      const response = await fetch(service.base_url + path, { method: 'POST' });
      const { code } = (await response.json()) as { code: string };
      assert.deepEqual([response.status, code], [404, 'not_found'], path);
    }
  } finally {
    await service.stop();
  }
});
