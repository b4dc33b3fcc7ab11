import type { Acceptance, Draft } from '../accept/index.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { limitMailToErased, limitPlatformMail, type PlatformMailLimits } from '../limits/index.ts';
import type { FillableForm } from './fillable-form.ts';

export interface FormMailer {
  db: Database;
  acceptance: Pick<Acceptance, 'acceptMailWith'>;
  mail_limits: PlatformMailLimits;
}

export interface FormMailRequest {
  action: 'confirmation_sent' | 'confirmation_resent' | 'auto_reply_sent' | 'update_link_sent';
  form: Pick<FillableForm, 'id' | 'instance_id'>;
  /** The submission; the form, where the mail has a link to fill it in. */
  about: { kind: 'form_submission' | 'form'; id: number };
  email: string;
  actor: Actor;
  /** The network of the actor was counted when the mail was asked for. */
  is_network_counted?: boolean;
  /** Keyed hash of the address, where the person was erased: it is not written down then. */
  erased?: Buffer | undefined;
}

/**
 * Queues a mail of a form in the transaction of what it is about: both are stored or neither. `store` calls `queue` once, which
 * audits the mail, counts it for its recipient and writes it. Throws the code of a refusal.
 */
export async function queueFormMail<T>(
  { db, acceptance, mail_limits }: FormMailer,
  { draft, request }: { draft: Draft; request: FormMailRequest },
  store: (tx: Queryable, queue: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return await acceptance.acceptMailWith(
    draft,
    async (write) =>
      await db.transaction(async (tx) => {
        const queue = async (): Promise<void> => {
          await countFormMail(tx, mail_limits, request);
          await write(tx);
        };
        return await store(tx, queue);
      }),
  );
}

/** A mail of a form that goes out without anything that is stored with it. */
export async function sendFormMail(
  mailer: FormMailer,
  mail: { draft: Draft; request: FormMailRequest },
): Promise<void> {
  await queueFormMail(mailer, mail, async (_tx, queue) => await queue());
}

async function countFormMail(
  tx: Queryable,
  limits: PlatformMailLimits,
  { form: { id: form_id, instance_id }, about, email, actor, erased, ...request }: FormMailRequest,
): Promise<void> {
  const details = { ...(about.kind === 'form' ? {} : { form_id }), ...(erased ? {} : { email }) };
  await auditOf(about.kind)(tx, instance_id, { action: request.action, id: about.id, actor, details });
  await limitPlatformMail(tx, limits, {
    kind: 'confirmation',
    instance_id,
    recipient: email,
    address: request.is_network_counted ? undefined : actor.address,
  });
  if (erased) await limitMailToErased(tx, erased);
}
