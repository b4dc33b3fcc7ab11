import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabaseLink } from '../../../test/acceptance/database-link.fixture.ts';
import { startTestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { acceptedMail } from '../../events/sent-mail.fixture.ts';
import { pageUrl } from './mail-pages.fixture.ts';

test('while the database is out of reach the pages ask to try again, and work when it is back', async (t) => {
  const link = await createDatabaseLink();
  const service = await startTestService({ roles: 'api,web', database: link.database });
  t.after(async () => {
    await service.stop();
    await link.stop();
  });
  const tenant = await service.tenant();
  const mail_id = await acceptedMail(service, tenant, 'ana@sandbox.test');
  const url = pageUrl(service, 'unsubscribe', mail_id);
  const oneClick = async (): Promise<Response> =>
    await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });

  await link.cut();
  for (const ask of [
    async () => await fetch(url, { headers: { 'accept-language': 'es' } }),
    async () => await fetch(pageUrl(service, 'view', mail_id), { headers: { 'accept-language': 'es' } }),
  ]) {
    const answer = await ask();
    assert.equal(answer.status, 503);
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(
      await answer.text(),
      /<html lang="es">[^]*Vuelve a intentarlo[^]*<a class="button" href="">/,
    );
  }
  assert.equal((await oneClick()).status, 503, 'providers ask again');
  const nonsense = await fetch(`${service.base_url}/u/nonsense`);
  assert.equal(nonsense.status, 404, 'a wrong token needs no database');

  await link.mend();
  await waitFor(async () => (await oneClick()).status === 200, { what: () => 'the page to come back' });
  assert.equal((await tenant.api.get(`/v1/mail-unsubscribes/${mail_id}`)).json.method, 'one_click');
});
