import type { Queryable } from '../../base/db/database.ts';
import type { ContactHashes } from '../../base/contact-hash.ts';
import {
  type Evidence,
  importConsents,
  type ImportedOutcome,
  type ImportedTerm,
} from '../../consent/index.ts';
import { type ContactAnswers, findImportedAnswers, storeImportedAnswers } from '../../forms/index.ts';
import { findRefused } from './find-refused.ts';
import type { Refusal } from './import-schemas.ts';
import type { ContactLine } from './read-lines.ts';

export interface Settling {
  /** Undefined in a dry run. */
  import_id: number | undefined;
  term: ImportedTerm;
  /** Of the whole file; what is of a line is added. */
  evidence: Evidence;
  hashes: ContactHashes;
  at: Date;
}

export interface Settled {
  added: number;
  updated: number;
  unchanged: number;
  refused: Refusal[];
}

/** Records what lines with distinct contacts bring. What is known already is not recorded again. */
export async function settleLines(
  tx: Queryable,
  instanceId: number,
  { lines, ...settling }: Settling & { lines: ContactLine[] },
): Promise<Settled> {
  const reasons = await findRefused(tx, instanceId, { lines, hashes: settling.hashes });
  const open = lines.filter(({ email }) => !reasons.has(email));
  const outcomes = await importConsents(tx, instanceId, {
    term: settling.term,
    consents: open.map((line) => ({
      contact: line.email,
      consented_at: line.consented_at,
      evidence: evidenceOf(line, settling.evidence),
    })),
    at: settling.at,
    is_dry_run: settling.import_id === undefined,
  });
  for (const [index, { email }] of open.entries()) {
    if (outcomes[index]?.state === 'withdrew') reasons.set(email, 'withdrew');
  }
  const updated = await storeAnswers(tx, instanceId, { ...settling, lines: open, outcomes });
  const states = outcomes.map(({ state }, index) => {
    if (state !== 'unchanged') return state;
    return updated.has(open[index]?.email ?? '') ? 'updated' : state;
  });
  const counted = (wanted: string): number => states.filter((state) => state === wanted).length;
  return {
    added: counted('recorded'),
    updated: counted('updated'),
    unchanged: counted('unchanged'),
    refused: lines.flatMap(({ line, email }) => {
      const reason = reasons.get(email);
      return reason ? [{ line, reason, column: null }] : [];
    }),
  };
}

function evidenceOf({ line, consented_at }: ContactLine, evidence: Evidence): Evidence {
  return { ...evidence, file_line: String(line), consented_at: consented_at.toISOString() };
}

interface Answered extends Settling {
  lines: ContactLine[];
  outcomes: ImportedOutcome[];
}

/** Gives the contacts whose fields have new values. */
async function storeAnswers(
  tx: Queryable,
  instanceId: number,
  { import_id, at, lines, outcomes }: Answered,
): Promise<Set<string>> {
  const told = lines.flatMap(({ email, answers }, index) => {
    const outcome = outcomes[index];
    if (!outcome || outcome.state === 'withdrew' || Object.keys(answers).length === 0) return [];
    return [{ email, answers, consent_event_ids: outcome.state === 'recorded' ? [outcome.event_id] : [] }];
  });
  if (told.length === 0) return new Set();
  const known = await findImportedAnswers(
    tx,
    instanceId,
    told.map(({ email }) => email),
  );
  const rows = told.filter(({ email, answers }) => !isKnown(answers, known.get(email)));
  if (import_id !== undefined) await storeImportedAnswers(tx, instanceId, { import_id, at, rows });
  return new Set(rows.map(({ email }) => email));
}

function isKnown(answers: ContactAnswers, known: ContactAnswers | undefined): boolean {
  return Object.entries(answers).every(
    ([key, answer]) => JSON.stringify(known?.[key]) === JSON.stringify(answer),
  );
}
