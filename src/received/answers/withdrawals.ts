import type { Database, Queryable } from '../../base/db/database.ts';
import { notBlocked } from '../../base/db/blocked-contacts.ts';
import { addressKey } from '../../base/db/address-key.ts';
import { Problem } from '../../base/errors/problem.ts';
import { recordUnsubscribe } from '../../events/index.ts';
import type { OptOut } from '../../protocol/reply/opt-out.ts';
import type { Withdrawal } from './withdrawal-schemas.ts';
import { isReceivedId } from '../received-mails.ts';

interface NewWithdrawal {
  received_mail_id: string;
  mail_id: string;
  from_address: string;
  opt_out: OptOut;
  /** Whether DMARC passed for the domain in From. */
  is_authentic: boolean;
}

/** Only the recipient of the mail withdraws; where the instance ignores such answers none is offered. */
const offer = `
  insert into reply_withdrawals (received_mail_id, instance_id, mail_id, recipient, words, language, is_authentic)
  select $2, m.instance_id, m.mail_id, m.recipient, $4, $5, $6
  from mails m join instances i on i.id = m.instance_id
  where m.instance_id = $1 and m.mail_id = $3 and ${addressKey('m.recipient')} = ${addressKey('$7')} and i.reply_withdrawal <> 'off'
  on conflict (received_mail_id) do nothing
  returning (select i.reply_withdrawal = 'automatic' from instances i where i.id = $1) as is_automatic`;

/** Offers the withdrawal to a person; whether it is to be recorded at once, as the instance wants. Undefined when it is not one. */
export async function offerWithdrawal(
  tx: Queryable,
  instanceId: number,
  { received_mail_id, mail_id, from_address, opt_out, is_authentic }: NewWithdrawal,
): Promise<{ is_automatic: boolean } | undefined> {
  const { words, language } = opt_out;
  const values = [instanceId, received_mail_id, mail_id, words, language, is_authentic, from_address];
  const [offered] = await tx.query<{ is_automatic: boolean }>(offer, values);
  return offered && { is_automatic: offered.is_automatic && is_authentic };
}

/** What was offered in a commit before and the instance wants recorded; a crash between the two leaves it to a person. */
export async function recordOffered(
  db: Database,
  instanceId: number,
  { received_mail_id, at }: Pick<Decision, 'received_mail_id' | 'at'>,
): Promise<void> {
  await decideWithdrawal(db, instanceId, { received_mail_id, is_accepted: true, decider: null, at });
}

interface Decision {
  received_mail_id: string;
  is_accepted: boolean;
  /** The user or key; null for the setting of the instance. */
  decider: string | null;
  at: Date;
}

/**
 * Records the withdrawal of the recipient, or leaves it. The answer is named in the evidence of the consent chain. What is
 * recorded twice counts once, so the state is changed after.
 */
export async function decideWithdrawal(
  db: Database,
  instanceId: number,
  { received_mail_id, is_accepted, decider, at }: Decision,
): Promise<Withdrawal> {
  const withdrawal = await getWithdrawal(db, instanceId, received_mail_id);
  if (withdrawal.state !== 'offered') throw new Problem('reply_withdrawal_decided');
  if (is_accepted) {
    const evidence = { actor: decider ?? 'system', via: 'reply', received_mail_id, words: withdrawal.words };
    await recordUnsubscribe(db, {
      mail_id: withdrawal.mail_id,
      method: 'reply',
      reason: withdrawal.words,
      at,
      evidence,
    });
  }
  const changed = await db.query(
    `update reply_withdrawals set state = $3, decided_at = $4, decided_by = $5
     where instance_id = $1 and received_mail_id = $2 and state = 'offered' returning received_mail_id`,
    [instanceId, received_mail_id, is_accepted ? 'recorded' : 'dismissed', at, decider],
  );
  if (changed.length === 0) throw new Problem('reply_withdrawal_decided');
  return await getWithdrawal(db, instanceId, received_mail_id);
}

/** Of people who are blocked nothing is shown. */
export const shownWithdrawals = `
  reply_withdrawals w
  where w.instance_id = $1 and ${notBlocked('w.recipient_key', '$1')}`;
export const withdrawalColumns =
  'w.received_mail_id, w.mail_id, w.recipient, w.words, w.language, w.is_authentic, w.state, w.created_at, w.decided_at, w.decided_by';

export async function getWithdrawal(
  db: Queryable,
  instanceId: number,
  receivedMailId: string,
): Promise<Withdrawal> {
  if (!isReceivedId(receivedMailId)) throw new Problem('reply_withdrawal_not_found');
  const [row] = await db.query<Withdrawal & Record<string, unknown>>(
    `select ${withdrawalColumns} from ${shownWithdrawals} and w.received_mail_id = $2`,
    [instanceId, receivedMailId],
  );
  if (!row) throw new Problem('reply_withdrawal_not_found');
  return row;
}
