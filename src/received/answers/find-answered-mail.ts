import { addressKey } from '../../base/db/address-key.ts';
import type { Queryable, Statement } from '../../base/db/database.ts';
import type { MailTokens } from '../../mails/index.ts';

export interface AnswerSigns {
  /** The address that it was sent to. */
  recipient: string;
  from_address: string | null;
  in_reply_to: string | null;
  reference_ids: readonly string[];
}

export interface AnsweredMail {
  mail_id: string;
  recipient: string;
}

const token = /^reply\+([0-9a-f]{48})@/i;
/** The Message-ID of a mail of ours that was not submitted with one. */
const ownId = /^<?([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})@/i;
/** The newest are at the end (RFC 5322 §3.6.4). */
const maxReferences = 5;

const byMail: Statement = {
  name: 'received.find_answered_by_token',
  text: 'select mail_id, recipient from mails where mail_id = $1 and instance_id = $2',
};

/** All mails of a message have the time of its id. Of several recipients it is the one that answers. */
const byMessage: Statement = {
  name: 'received.find_answered_by_message',
  text: `
    with sent as (
      select mail_id, recipient from mails
      where instance_id = $1 and msg_id = $2 and mail_id >= $3 and mail_id < uuid_at(uuid_time($2) + interval '1 millisecond')
    )
    select mail_id, recipient from sent
    where ${addressKey('recipient')} = ${addressKey('$4')} or (select count(*) from sent) = 1
    order by ${addressKey('recipient')} = ${addressKey('$4')} desc, mail_id limit 1`,
};

/**
 * The sent mail that a received one answers: by the token of its address, which names one mail and cannot be guessed, else
 * by In-Reply-To and References. Undefined when it answers none of the instance.
 */
export async function findAnsweredMail(
  { db, tokens }: { db: Queryable; tokens: MailTokens },
  instanceId: number,
  { recipient, from_address, in_reply_to, reference_ids }: AnswerSigns,
): Promise<AnsweredMail | undefined> {
  const [, text = ''] = token.exec(recipient) ?? [];
  const tied = tokens.read('reply', text);
  if (tied !== undefined) {
    const [mail] = await db.query<AnsweredMail & Record<string, unknown>>(byMail, [tied, instanceId]);
    if (mail) return mail;
  }
  const named = [in_reply_to ?? '', ...reference_ids.slice(-maxReferences).toReversed()];
  for (const id of new Set(named.flatMap((each) => ownId.exec(each)?.[1]?.toLowerCase() ?? []))) {
    const values = [instanceId, id, `${id.slice(0, 13)}-0000-0000-000000000000`, from_address ?? ''];
    const [mail] = await db.query<AnsweredMail & Record<string, unknown>>(byMessage, values);
    if (mail) return mail;
  }
  return undefined;
}
