import assert from 'node:assert/strict';
import type { Tenant, TestService } from '../../test/support/test-service.ts';

/** A mail of the tenant's sandbox sender, as accepted; gives its identifier. */
export async function acceptedMail(
  { db }: TestService,
  { api, instance }: Tenant,
  to: string,
): Promise<string> {
  const { status, json, text } = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: to }],
    subject: 'Hola',
    html: '<p>Hola</p>',
  });
  assert.equal(status, 200, text);
  const [mail] = await db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    json.message_id,
  ]);
  assert.ok(mail);
  return mail.mail_id;
}

/** The mail as if its month had been dropped: only what other tables keep of it is left. */
export async function leaveRetention({ db }: TestService, mail_id: string): Promise<void> {
  await db.query('delete from mails where mail_id = $1', [mail_id]);
}
