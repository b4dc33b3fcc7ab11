import type { Language } from '../base/http/preferred-language.ts';
import type { CauseCode } from './causes.ts';
import type { Decision } from './decide-cause.ts';
import { quote } from './quote.ts';
import type { ConsentFacts } from './read-consent.ts';
import type { LogLine } from './read-log.ts';
import type { MailFacts } from './read-mail.ts';
import type { Phrases } from './words/phrases.ts';
import { vocabularies } from './words/vocabulary.ts';

export interface Evidence {
  /** A line of the mail's log, or how a restriction, a consent, a pause or a domain stands. */
  kind: 'log' | 'record';
  at: Date;
  text: string;
}

/** Of the log the newest lines, since those explain. */
const maxLines = 15;

interface Witnesses {
  facts: MailFacts;
  log: LogLine[];
  consent: ConsentFacts | null;
  blocked_since: Date | null;
  decision: Decision;
}

/** What the explanation rests on, oldest first. */
export function evidenceOf(witnesses: Witnesses, language: Language): Evidence[] {
  const { facts, log } = witnesses;
  const { phrases } = vocabularies[language];
  const lines = log.slice(-maxLines).map((line): Evidence => ({
    kind: 'log',
    at: line.at,
    text: phrases.line({
      ...line,
      remote_host: line.remote_host === null ? null : hostText(line.remote_host),
      quoted: quotedOf(line),
    }),
  }));
  const evidence: Evidence[] = [
    { kind: 'log', at: facts.received_at, text: phrases.received },
    ...standingOf(witnesses, phrases),
    ...lines,
  ];
  return evidence.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function quotedOf({ response, detail }: LogLine): string | null {
  const said = response ?? detail;
  return said === null ? null : quote(said);
}

/** A name from DNS or from a report. */
function hostText(host: string): string {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? host : quote(host);
}

function standingOf(witnesses: Witnesses, phrases: Phrases): Evidence[] {
  const found = standing[witnesses.decision.code]?.(witnesses, phrases) ?? [];
  return found.map((each) => ({ kind: 'record', ...each }));
}

type Witness = (witnesses: Witnesses, phrases: Phrases) => Omit<Evidence, 'kind'>[];

const validated: Witness = ({ facts }, phrases) => validationsOf(facts, phrases);
const consented: Witness = ({ consent }, phrases) => {
  if (!consent?.at || consent.verdict === 'none') return [];
  const { at, verdict, purpose, term } = consent;
  return [{ at, text: phrases.consented({ verdict, purpose, term: term ?? '' }) }];
};

/** How those things stand that a cause is about. */
const standing: Partial<Record<CauseCode, Witness>> = {
  recipient_restricted: ({ facts: { restriction } }, phrases) =>
    restriction ? [{ at: restriction.at, text: phrases.restricted(restriction.reason) }] : [],
  recipient_blocked: ({ blocked_since: at }, phrases) => (at ? [{ at, text: phrases.blocked }] : []),
  recipient_unsubscribed: ({ facts: { unsubscribed_at: at } }, phrases) =>
    at ? [{ at, text: phrases.unsubscribed }] : [],
  destination_paused: ({ facts: { paused_at: at, destination } }, phrases) =>
    at ? [{ at, text: phrases.paused(destination) }] : [],
  consent_missing: consented,
  consent_revoked: consented,
  domain_not_verified: validated,
  not_authenticated: validated,
  sender_rejected: validated,
};

function validationsOf({ domain }: MailFacts, phrases: Phrases): Omit<Evidence, 'kind'>[] {
  const at = domain?.validated_at;
  if (!domain || !at) return [];
  return Object.entries(domain.statuses)
    .filter(([, status]) => status !== 'verified')
    .map(([record, status]) => {
      const why = domain.check_reasons[record];
      const check = { domain: domain.domain, record: record.toUpperCase(), status };
      return { at, text: phrases.validated({ ...check, why: why === undefined ? null : quote(why) }) };
    });
}
