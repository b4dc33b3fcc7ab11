import type { Database, Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Job } from '../base/jobs/job.ts';
import { confirmConsentEvent, expireConsentEvents } from '../consent/index.ts';
import { evidenceFor, type SubmissionEvidence } from './submit-form.ts';

interface SubmissionRow {
  id: number;
  instance_id: number;
  form_id: number;
  status: 'pending' | 'confirmed' | 'expired';
  expires_at: Date | null;
  consent_event_ids: number[];
}

/** Confirms a double opt-in: the submission and its consents take effect. */
export async function confirmSubmission(
  tx: Queryable,
  id: number,
  evidence: SubmissionEvidence,
): Promise<{ form_id: number }> {
  const [row] = await tx.query<SubmissionRow & Record<string, unknown>>(
    `select id, instance_id, form_id, status, expires_at, consent_event_ids from form_submissions
     where id = $1 for no key update`,
    [id],
  );
  if (!row) throw new Problem('form_submission_not_found');
  if (row.status !== 'pending' || (row.expires_at && row.expires_at <= evidence.at)) {
    throw new Problem('form_submission_not_pending');
  }
  await tx.query(`update form_submissions set status = 'confirmed', confirmed_at = $2 where id = $1`, [
    id,
    evidence.at,
  ]);
  for (const event of row.consent_event_ids) await confirmEvent(tx, row, { event, evidence });
  return { form_id: row.form_id };
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

const expired_at_once = 200;

/** Expires submissions that were not confirmed in time, with their consents. */
export async function expireSubmissions(db: Database, now: Date): Promise<number> {
  return await db.transaction(async (tx) => {
    const rows = await tx.query<{ instance_id: number; consent_event_ids: number[] }>(
      `update form_submissions set status = 'expired' where id in (
         select id from form_submissions where status = 'pending' and expires_at <= $1
         order by expires_at limit ${expired_at_once} for update skip locked
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
    for (let done = expired_at_once; done === expired_at_once && !isStopping(); sum += done) {
      done = await expireSubmissions(db, now);
    }
    return `${sum} submissions expired`;
  },
};
