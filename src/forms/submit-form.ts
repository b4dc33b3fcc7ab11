import type { Contact } from '../base/contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { storableAddress } from '../audit/index.ts';
import { type Evidence, type NewConsent, recordConsentEvent } from '../consent/index.ts';
import { announceSubmission } from './announce-submission.ts';
import { type FillableForm, writesFirst } from './fillable-form.ts';
import { readSubmission, type ParsedSubmission, type RawSubmission } from './read-submission.ts';

const confirmationDays = 7;

export interface SubmissionEvidence {
  address: string | null;
  user_agent: string | null;
  at: Date;
}

export interface Submitted {
  id: number;
  status: 'pending' | 'confirmed';
}

export interface Recording {
  read: ParsedSubmission;
  evidence: SubmissionEvidence;
  /** Of a submission that waits for its confirmation: its identifier, and what queues the mail. */
  confirmation?: { id: number; queue: () => Promise<void> };
  /** Of a contact who changes what they told: the fields that they leave empty, and had filled in. */
  update?: { taken_back: string[] };
  /** Whether contacts of a person who was erased are left out: nobody is told of it. */
  is_without_erased?: boolean;
  /** Of a person who was erased and asks to come back: their contacts. Consents become evidence once they confirm. */
  returning?: Contact[] | undefined;
}

/** What was submitted, checked. Throws `validation_error` with all its problems. */
export function readValid(form: FillableForm, given: RawSubmission): ParsedSubmission {
  requireSubmittable(form);
  const read = readSubmission(form, given);
  if (read.violations.length > 0) throw validationProblem(read.violations);
  return read;
}

/** Taken before the submission is stored: the link of its confirmation is made of it. */
export async function nextSubmissionId(db: Queryable): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('form_submissions', 'id')) as id`,
  );
  return (row as { id: number }).id;
}

/**
 * Stores a submission and its consents under the current versions. With double opt-in both are pending, and the mail that asks to
 * confirm is queued in the same transaction. An update is confirmed in the same transaction, since its link was in the mailbox.
 */
export async function storeSubmission(
  tx: Queryable,
  form: FillableForm,
  recording: Recording,
): Promise<Submitted> {
  const { confirmation, returning, update } = recording;
  const status = form.requires_confirmation || confirmation || update ? 'pending' : 'confirmed';
  const id = await insertSubmission(tx, form, { ...recording, status });
  await confirmation?.queue();
  if (!returning) await recordConsents(tx, form, { ...recording, id, status });
  if (!returning && !update && !recording.is_without_erased)
    await announceSubmission(tx, form, { id, status, at: recording.evidence.at });
  return { id, status };
}

/** What is kept of a return until it is confirmed, or erased. */
export interface HeldReturn {
  contacts: Contact[];
  consents: Pick<NewConsent, 'term_id' | 'term_version_id' | 'rules'>[];
}

function heldOf({ consents }: ParsedSubmission, contacts: Contact[]): HeldReturn {
  return {
    contacts,
    consents: consents.map(({ consent: { term_id, term_version_id }, rules }) => ({
      term_id,
      term_version_id,
      rules,
    })),
  };
}

/** Where the submission can be confirmed from. */
export function emailOf({ answers }: ParsedSubmission): string | undefined {
  const email = answers['EMAIL'];
  return typeof email === 'string' ? email : undefined;
}

function requireSubmittable({ items, sender_email, ...form }: FillableForm): void {
  if (items.some((item) => item.kind === 'closed_consent' && item.is_required)) {
    throw new Problem('consent_term_inactive');
  }
  if (writesFirst(form) && sender_email === null) throw new Problem('confirmation_requires_email');
}

type Stored = Recording & Pick<Submitted, 'status'>;

async function insertSubmission(
  tx: Queryable,
  form: FillableForm,
  { read, evidence, status, confirmation, returning, update }: Stored,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into form_submissions (id, instance_id, form_id, status, answers, address, user_agent, created_at,
       confirmed_at, expires_at, held, is_update)
     overriding system value
     values ($9, $1, $2, $3, $4, $5, $6, $7::timestamptz, case when $3 = 'confirmed' then $7::timestamptz end,
       case when $3 = 'pending' then $7::timestamptz + make_interval(days => $8) end, $10, $11)
     returning id`,
    [
      form.instance_id,
      form.id,
      status,
      JSON.stringify({
        ...read.answers,
        ...Object.fromEntries((update?.taken_back ?? []).map((key) => [key, null])),
      }),
      storableAddress(evidence.address ?? undefined),
      evidence.user_agent?.slice(0, 500).toWellFormed() ?? null,
      evidence.at,
      confirmationDays,
      confirmation?.id ?? (await nextSubmissionId(tx)),
      returning ? JSON.stringify(heldOf(read, returning)) : null,
      update !== undefined,
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
  { id, read, evidence, status }: Stored & { id: number },
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
