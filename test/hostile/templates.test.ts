import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { most_ms, whileAttacked } from './neighbour.fixture.ts';

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
});
after(async () => await service.stop());

test('preview', async (t) => {
  const source = `{% assign r = (1..2000) %}{{ r | find_exp: "x", "r | find_exp: 'y', 'y == 0'" }}`;
  const worst = await whileAttacked(service, async () => {
    const { status, text } = await developer.post('/v1/private/mail-templates/preview', { source });
    t.diagnostic(`${status} ${text}`);
  });
  t.diagnostic(`worst ${worst} ms`);
  assert.ok(worst < most_ms, `${worst} ms`);
});
