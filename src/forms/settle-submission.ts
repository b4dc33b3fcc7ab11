import type { Database, Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Job } from '../base/jobs/job.ts';
import { confirmConsentEvent, expireConsentEvents, restoreAfterResubscribe } from '../consent/index.ts';
import { liftUnsubscribes } from '../events/index.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { announceConfirmation } from './announce-submission.ts';
import { isOver, shownStatus } from './submission-status.ts';
import { confirmReturn, type WaitingReturn } from './confirm-return.ts';
import { evidenceFor, type HeldReturn, type SubmissionEvidence } from './submit-form.ts';

interface SubmissionRow extends Omit<WaitingReturn, 'held'> {
  status: 'pending' | 'confirmed' | 'expired';
  consent_event_ids: number[];
  /** Of a person who was erased and asks to come back. */
  held: HeldReturn | null;
}

/** Confirms a double opt-in: the submission and its consents take effect. */
export async function confirmSubmission(
  tx: Queryable,
  id: number,
  { hashes, evidence }: { hashes: ContactHashes; evidence: SubmissionEvidence },
): Promise<{ form_id: number }> {
  const [row] = await tx.query<SubmissionRow & Record<string, unknown>>(
    `select s.id, s.instance_id, s.form_id, ${shownStatus('$2::timestamptz')} as status, s.consent_event_ids,
       s.held, s.created_at, host(s.address) as address, s.user_agent
     from form_submissions s where s.id = $1 for no key update`,
    [id, evidence.at],
  );
  if (!row) throw new Problem('form_submission_not_found');
  if (row.status !== 'pending') throw new Problem('form_submission_not_pending');
  await tx.query(
    `update form_submissions set status = 'confirmed', confirmed_at = $2, held = null where id = $1`,
    [id, evidence.at],
  );
  if (row.held) {
    await confirmReturn(tx, { ...row, held: row.held }, { hashes, evidence });
    await announceConfirmation(tx, row, evidence.at);
    return { form_id: row.form_id };
  }
  const back = await liftUnsubscribesFor(tx, row, evidence.at);
  for (const event of row.consent_event_ids) await confirmEvent(tx, row, { event, evidence });
  for (const { contact, purpose_id } of back) {
    await restoreAfterResubscribe(tx, {
      instance_id: row.instance_id,
      contact,
      purpose_id,
      at: evidence.at,
      evidence: evidenceFor(id, evidence),
    });
  }
  await announceConfirmation(tx, row, evidence.at);
  return { form_id: row.form_id };
}

interface Agreed {
  contact: string;
  purpose_id: number;
  consent_event_id: number;
}

/** Who unsubscribed before is written to again for what they agree to now. */
async function liftUnsubscribesFor(
  tx: Queryable,
  { instance_id, consent_event_ids, created_at }: SubmissionRow,
  at: Date,
): Promise<Pick<Agreed, 'contact' | 'purpose_id'>[]> {
  const agreed = await tx.query<Agreed & Record<string, unknown>>(
    `select r.contact, r.purpose_id, r.event_id as consent_event_id from consent_rules r
     where r.event_id = any ($1::bigint[]) and r.channel = 'mail' and r.contact_type = 'email_address'
       and r.action = 'allow' and not exists (select from consent_event_outcomes o where o.event_id = r.event_id)
     order by r.id`,
    [consent_event_ids],
  );
  const lifted: Pick<Agreed, 'contact' | 'purpose_id'>[] = [];
  for (const [contact, rules] of Map.groupBy(agreed, (rule) => rule.contact)) {
    const given = { instance_id, contact, agreed: rules, given_at: created_at, at };
    const purposes = await liftUnsubscribes(tx, given);
    lifted.push(...purposes.map((purpose_id) => ({ contact, purpose_id })));
  }
  return lifted;
}

/** A consent that expired or was ended meanwhile stays so; the rest is confirmed. */
async function confirmEvent(
  tx: Queryable,
  { id, instance_id }: SubmissionRow,
  { event, evidence }: { event: number; evidence: SubmissionEvidence },
): Promise<void> {
  try {
    await confirmConsentEvent(tx, instance_id, {
      id: event,
      evidence: evidenceFor(id, evidence),
      at: evidence.at,
    });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'consent_event_not_pending')) throw error;
  }
}

const expiredAtOnce = 200;

/** Expires submissions that were not confirmed in time, with their consents, and those whose consents have all expired. */
export async function expireSubmissions(db: Database, now: Date): Promise<number> {
  return await db.transaction(async (tx) => {
    const rows = await tx.query<{ instance_id: number; consent_event_ids: number[] }>(
      `update form_submissions set status = 'expired' where id in (
         select s.id from form_submissions s where s.status = 'pending' and ${isOver('$1::timestamptz')}
         order by s.expires_at limit ${expiredAtOnce} for update skip locked
       ) returning instance_id, consent_event_ids`,
      [now],
    );
    // In a fixed order, so that two nodes cannot deadlock.
    const byInstance = [...Map.groupBy(rows, ({ instance_id }) => instance_id)].sort(([a], [b]) => a - b);
    for (const [instanceId, some] of byInstance) {
      const ids = some.flatMap(({ consent_event_ids }) => consent_event_ids);
      if (ids.length > 0) await expireConsentEvents(tx, instanceId, { ids, at: now });
    }
    return rows.length;
  });
}

export const expireSubmissionsJob: Job = {
  name: 'expire_form_submissions',
  every_ms: 10 * 60_000,
  destructive: true,
  async run({ db, now, isStopping }) {
    let sum = 0;
    for (let done = expiredAtOnce; done === expiredAtOnce && !isStopping(); sum += done) {
      done = await expireSubmissions(db, now);
    }
    return `${sum} submissions expired`;
  },
};
