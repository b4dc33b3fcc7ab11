import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { storableAddress } from '../audit/index.ts';
import { type Evidence, recordConsentEvent } from '../consent/index.ts';
import type { FillableForm } from './fillable-form.ts';
import { readSubmission, type RawSubmission, type ParsedSubmission } from './read-submission.ts';

const confirmation_days = 7;

export interface SubmissionEvidence {
  address: string | null;
  user_agent: string | null;
  at: Date;
}

export interface Submitted {
  id: number;
  status: 'pending' | 'confirmed';
  /** Address of the confirmation, when pending. */
  email: string | undefined;
}

export interface Submission {
  given: RawSubmission;
  evidence: SubmissionEvidence;
  /** Counts the confirmation of a pending submission. */
  countMail?: (submitted: Submitted) => Promise<void>;
}

/**
 * Stores a submission and its consents under the current versions. With double opt-in both are pending, and the
 * caller sends the confirmation after the commit.
 */
export async function submitForm(
  tx: Queryable,
  form: FillableForm,
  { given, evidence, countMail }: Submission,
): Promise<Submitted> {
  requireSubmittable(form);
  const read = readSubmission(form, given);
  if (read.violations.length > 0) throw validationProblem(read.violations);
  const status = form.requires_confirmation ? 'pending' : 'confirmed';
  const id = await insertSubmission(tx, form, { read, evidence, status });
  const email = read.answers['EMAIL'];
  const submitted: Submitted = { id, status, email: typeof email === 'string' ? email : undefined };
  if (status === 'pending') await countMail?.(submitted);
  await recordConsents(tx, form, { id, read, evidence, status });
  return submitted;
}

function requireSubmittable({ items, requires_confirmation, sender_email }: FillableForm): void {
  if (items.some((item) => item.kind === 'closed_consent' && item.is_required)) {
    throw new Problem('consent_term_inactive');
  }
  if (requires_confirmation && sender_email === null) throw new Problem('confirmation_requires_email');
}

interface Recording {
  read: ParsedSubmission;
  evidence: SubmissionEvidence;
  status: Submitted['status'];
}

async function insertSubmission(
  tx: Queryable,
  form: FillableForm,
  { read, evidence, status }: Recording,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into form_submissions (instance_id, form_id, status, answers, address, user_agent, created_at, confirmed_at,
       expires_at)
     values ($1, $2, $3, $4, $5, $6, $7::timestamptz, case when $3 = 'confirmed' then $7::timestamptz end,
       case when $3 = 'pending' then $7::timestamptz + make_interval(days => $8) end)
     returning id`,
    [
      form.instance_id,
      form.id,
      status,
      JSON.stringify(read.answers),
      storableAddress(evidence.address ?? undefined),
      evidence.user_agent?.slice(0, 500).toWellFormed() ?? null,
      evidence.at,
      confirmation_days,
    ],
  );
  return (row as { id: number }).id;
}

/**
 * Last in the transaction, since it locks the consent chain of the instance. Requests of persons lock limits of mail and
 * then the chain, too.
 */
async function recordConsents(
  tx: Queryable,
  { instance_id }: FillableForm,
  { id, read, evidence, status }: Recording & { id: number },
): Promise<void> {
  if (read.consents.length === 0) return;
  const ids: number[] = [];
  for (const { consent, rules } of read.consents) {
    const event = await recordConsentEvent(tx, instance_id, {
      term_id: consent.term_id,
      term_version_id: consent.term_version_id,
      status,
      method: status === 'pending' ? 'double_opt_in' : 'single_opt_in',
      source: 'form',
      evidence: evidenceFor(id, evidence),
      at: evidence.at,
      rules,
    });
    ids.push(event.id);
  }
  await tx.query('update form_submissions set consent_event_ids = $2 where id = $1', [id, ids]);
}

/** Origin of the consent, as far as known. */
export function evidenceFor(id: number, { address, user_agent }: SubmissionEvidence): Evidence {
  return {
    submission_id: String(id),
    ...(address === null ? {} : { address }),
    ...(user_agent === null ? {} : { user_agent }),
  };
}
