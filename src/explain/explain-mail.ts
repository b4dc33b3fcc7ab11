import { withinTime } from '../activity/index.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { statusNameOf } from '../mails/index.ts';
import { give_up_after_ms } from '../queue/index.ts';
import { causes } from './causes.ts';
import { decideCause, type Decision } from './decide-cause.ts';
import { evidenceOf } from './evidence.ts';
import type { Explanation } from './explanation-schemas.ts';
import { findNote } from './provider-notes.ts';
import { readBlockedSince } from './read-blocking.ts';
import { readConsent } from './read-consent.ts';
import { readLog, reasonOf } from './read-log.ts';
import { readMail, type MailFacts } from './read-mail.ts';
import { readWarmUpCap } from './read-warm-up.ts';
import { causeOfReply } from './refine-cause.ts';
import { show, timeIn } from './show.ts';
import { countSimilar, type Similar } from './similar.ts';
import { vocabularies } from './words/vocabulary.ts';

interface Question {
  /** In its canonical form. */
  mail_id: string;
  language: Language;
  /** The records to publish depend on it. */
  platform_domain: string;
}

/** Why a mail did or did not arrive, and what to do: rules over what is on record. */
export async function explainMail(
  db: Database,
  instanceId: number,
  { mail_id, language, platform_domain }: Question,
): Promise<Explanation> {
  const { facts, log } = await db.transaction(async (tx) => {
    // One snapshot: an attempt that ends meanwhile is in both or in neither.
    await tx.query('set transaction isolation level repeatable read read only');
    const known = await readMail(tx, instanceId, mail_id);
    return { facts: known, log: await readLog(tx, instanceId, mail_id) };
  });
  const decision = decideCause(facts, log);
  const { code, line } = decision;
  // Of a person who is blocked, only that this is why.
  if (facts.is_blocked && code !== 'recipient_blocked') throw new Problem('mail_not_found');
  const [consent, blocked_since, warm_up_cap, { taken_last_hour, ...similar }] = await Promise.all([
    code.startsWith('consent_') ? readConsent(db, instanceId, facts) : null,
    code === 'recipient_blocked' ? readBlockedSince(db, instanceId, facts) : null,
    code === 'warming_up' ? readWarmUpCap(db, instanceId, facts.now) : null,
    withinTime(db, async (tx) => await countSimilar(tx, instanceId, { facts, line })),
  ]);
  const next_attempt_at = nextAttemptOf(facts, decision);
  const { phrases, causes: words } = vocabularies[language];
  const shown = show(
    {
      facts,
      decision,
      consent,
      blocked_since,
      next_attempt_at,
      taken_last_hour,
      warm_up_cap,
      platform_domain,
    },
    language,
  );
  const { title, text, advice } = words[code];
  const note = noteOf(decision, language);
  const sentence = typeof text === 'string' ? text : text(shown);
  return {
    mail_id,
    status: facts.status,
    status_name: statusNameOf(facts.status),
    headline: decision.state === 'delivered' ? title : `${phrases.states[decision.state]}: ${title}`,
    summary: [
      sentence,
      ...(note ? [note.meaning] : []),
      ...sequelOf({ facts, decision, next_attempt_at, similar }, language),
    ].join(' '),
    cause: { code, side: causes[code] },
    advice: [
      ...(typeof advice === 'function' ? advice(shown) : advice),
      ...(note?.advice === undefined ? [] : [note.advice]),
    ],
    evidence: evidenceOf({ facts, log, consent, blocked_since, decision }, language),
    next_attempt_at,
    similar,
  };
}

function nextAttemptOf({ queued, paused_at }: MailFacts, { state }: Decision): Date | null {
  if (!queued || queued.is_under_way || paused_at !== null || state === 'held') return null;
  return queued.due_at;
}

/** What a provider means by its reply, where that is the cause; undefined for the sandbox. */
function noteOf({ code, line, is_sandbox, state }: Decision, language: Language) {
  const reason = reasonOf(line);
  if (!line || reason === undefined || is_sandbox || state === 'delivered') return undefined;
  if (causeOfReply(reason, line) !== code) return undefined;
  const id = findNote(line.response);
  return id && vocabularies[language].notes[id];
}

interface Sequel {
  facts: MailFacts;
  decision: Decision;
  next_attempt_at: Date | null;
  similar: Similar;
}

/** What follows from it, and whether other mails have the same problem. */
function sequelOf({ facts, decision, next_attempt_at, similar }: Sequel, language: Language): string[] {
  const { phrases } = vocabularies[language];
  const { state, line, is_sandbox, code } = decision;
  const timeOf = timeIn(facts.timezone, language);
  const until = new Date((facts.schedule_at ?? facts.received_at).getTime() + give_up_after_ms);
  const { destination, count_24h: count, same_cause_24h: same } = similar;
  return [
    ...(is_sandbox && code !== 'sandbox_captured' ? [phrases.sandbox(facts.recipient)] : []),
    ...(state === 'bounced' && facts.sent_at ? [phrases.late(timeOf(facts.sent_at))] : []),
    ...(state === 'bounced' ? [phrases.bounced] : []),
    ...(state === 'bounced' && line?.bounce_type === 'hard' ? [phrases.restricts] : []),
    ...(state === 'dropped' ? [phrases.dropped] : []),
    ...(next_attempt_at && code !== 'scheduled'
      ? [next_attempt_at <= facts.now ? phrases.due : phrases.next(timeOf(next_attempt_at))]
      : []),
    ...(state === 'delayed' ? [phrases.gives_up(timeOf(until))] : []),
    ...(state !== 'delivered' && code !== 'scheduled' && count > 1 && same > 0
      ? [phrases.similar({ destination, count, same })]
      : []),
  ];
}
