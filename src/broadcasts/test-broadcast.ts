import { type Actor, auditOf } from '../audit/index.ts';
import type { Acceptance, DraftRecipient } from '../accept/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { canonicalContact } from '../base/contacts.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { answersAmong } from '../forms/index.ts';
import { refuseBeyond, type SharedBuckets } from '../limits/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { getBroadcastRow } from './broadcasts.ts';
import { draftTo } from './make-drafts.ts';

export interface TestContext {
  db: Queryable;
  acceptance: Pick<Acceptance, 'acceptMail'>;
  buckets: SharedBuckets;
}

interface Test {
  id: number;
  to: string[];
  /** Whose answers fill the placeholders. */
  contact?: string | null | undefined;
  sandbox_only: boolean;
  actor: Actor;
}

const audit = auditOf('broadcast');
/** Mails of an instance. */
const perMinute = 30;

/** Sends the message of a broadcast to colleagues, as it would be for one contact. It is marked as a test and counts as nothing else. */
export async function testBroadcast(
  { db, acceptance, buckets }: TestContext,
  instanceId: number,
  { id, to, contact, sandbox_only, actor }: Test,
): Promise<{ message_ids: string[] }> {
  const broadcast = await getBroadcastRow(db, instanceId, id);
  const [sender] = await db.query<{ sender_email: string }>(
    'select email_address as sender_email from senders where instance_id = $1 and id = $2 and deleted_at is null',
    [instanceId, broadcast.sender_id],
  );
  if (!sender) throw new Problem('sender_not_found');
  const variables = { contact: await answersOf(db, instanceId, contact) };
  const recipients = recipientsOf(to).map((each) => ({ ...each, variables }));
  const limits = { rate: perMinute / 60, burst: perMinute };
  refuseBeyond(await buckets.take(`broadcast tests ${instanceId}`, recipients.length, limits));
  const message_ids: string[] = [];
  for (const recipient of recipients) {
    const draft = { ...draftTo({ ...broadcast, ...sender }, [recipient]), sandbox_only };
    const sent = await acceptance.acceptMail({ ...draft, test_mode: true, custom_group_code: null });
    message_ids.push(sent.msg_id);
  }
  await audit(db, instanceId, { action: 'test_sent', id, actor, details: { to, message_ids } });
  return { message_ids };
}

async function answersOf(db: Queryable, instanceId: number, contact: string | null | undefined) {
  if (!contact) return {};
  const known = canonicalContact({ contact_type: 'email_address', contact });
  return (await answersAmong(db, instanceId, [known])).get(known) ?? {};
}

function recipientsOf(to: string[]): DraftRecipient[] {
  const violations: Violation[] = [];
  const recipients = to.flatMap((email, index): DraftRecipient[] => {
    const canonical = canonicalAddress(email);
    if (canonical) return [{ kind: 'to', address: canonical.address, domain: canonical.domain }];
    violations.push({
      pointer: `/to/${index}`,
      code: 'value_error.email',
      message: 'This is not an email address',
    });
    return [];
  });
  if (violations.length > 0) throw validationProblem(violations);
  return recipients;
}
