import { Type } from 'typebox';
import { actorOf } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { retryMail } from '../queue/index.ts';
import { requireMailId } from './mail-id.ts';
import { mailExample } from './mail-schemas.ts';
import { getMail } from './mails.ts';

/** What people do about one mail. */
export function mailPanelRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'panel_retry_mail',
      method: 'POST',
      path: '/v1/private/mails/{mail_id}/retry',
      tag: 'Mails',
      summary: 'Retry a deferred mail now',
      description: 'Its next attempt is due now, whatever the schedule says.',
      access: { kind: 'user', role: 'developer' },
      params: Type.Object({
        mail_id: Type.String({ description: 'Identifier of the mail.', examples: [mailExample.mail_id] }),
      }),
      success: { status: 204, description: 'It is due.' },
      errors: ['mail_not_found', 'mail_outside_retention', 'mail_not_waiting'],
      handle: async (call) => {
        const { instance } = call.caller;
        const mail_id = requireMailId(call.params.mail_id, clock.now(), instance.retention_months);
        await db.transaction(async (tx) => {
          await getMail(tx, instance.id, mail_id);
          await retryMail(tx, instance.id, { mail_id, actor: actorOf(call) });
        });
      },
    }),
  ];
}
