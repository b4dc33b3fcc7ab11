import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  tenant = await service.tenant();
  await service.db.query(`update senders set stream = 'broadcast' where instance_id = $1`, [
    tenant.instance.id,
  ]);
});
after(async () => await service.stop());

interface Line {
  event: string;
  reason: string | null;
  at: string;
}

/** The log of a mail once it has such an event. */
async function logWith(mail_id: string, event: string): Promise<Line[]> {
  return await waitFor(
    async () => {
      const { json } = await tenant.api.get(`/v1/mails/${mail_id}/logs`);
      const lines: Line[] = json.data;
      return lines.some((line) => line.event === event) ? lines : undefined;
    },
    { what: `the event ${event}` },
  );
}

for (const [script, event, reason, drop] of [
  ['complaint', 'complained', 'spam', 'recipient_restricted'],
  ['unsubscribe', 'unsubscribed', 'one_click', 'recipient_unsubscribed'],
] as const) {
  test(`the recipient ${script} does so within a second of delivery, with all that follows`, async () => {
    const address = `${script}+a@sandbox.test`;
    const mail_id = await acceptedMail(service, tenant, address);
    const [sent, reaction] = (await logWith(mail_id, event)).slice(-2);
    assert.deepEqual([sent?.event, reaction?.event, reaction?.reason], ['sent', event, reason]);
    assert.ok(Date.parse(reaction?.at ?? '') - Date.parse(sent?.at ?? '') < 1_000);
    const { status, json } = await tenant.api.get(`/v1/mail-${script}s/${mail_id}`);
    assert.equal(status, 200);
    assert.ok(json.sent_at);
    const next = await acceptedMail(service, tenant, address.toUpperCase());
    assert.equal((await logWith(next, 'dropped')).at(-1)?.reason, drop);
  });
}
