import { dnsRecordsFor, type DnsRecord } from '../domains/index.ts';
import type { Language } from '../base/http/preferred-language.ts';
import type { Decision } from './decide-cause.ts';
import { quote } from './quote.ts';
import type { ConsentFacts } from './read-consent.ts';
import type { MailFacts } from './read-mail.ts';
import type { Phrases } from './words/phrases.ts';
import { vocabularies } from './words/vocabulary.ts';
import type { Shown } from './words/words.ts';

export interface Showing {
  facts: MailFacts;
  decision: Decision;
  consent: ConsentFacts | null;
  blocked_since: Date | null;
  next_attempt_at: Date | null;
  taken_last_hour: number;
  warm_up_cap: number | null;
  platform_domain: string;
}

/** The facts as words refer to them: times in the zone of the instance, what others chose as a quotation where need be. */
export function show(showing: Showing, language: Language): Shown {
  const { phrases } = vocabularies[language];
  const { facts, decision, consent, taken_last_hour, warm_up_cap } = showing;
  const timeOf = timeIn(facts.timezone, language);
  const textOf = (at: Date | null): string | null => (at === null ? null : timeOf(at));
  const { domain, restriction } = facts;
  return {
    recipient: facts.recipient,
    destination: facts.destination,
    sender: facts.sender,
    domain: domain?.domain ?? facts.sender.slice(facts.sender.lastIndexOf('@') + 1),
    host: hostOf(decision) ?? facts.destination,
    next: textOf(showing.next_attempt_at),
    sent_at: textOf(facts.sent_at),
    opens: facts.opens,
    clicks: facts.clicks,
    tracks_opens: facts.tracks_opens,
    paused_at: textOf(facts.paused_at),
    records: recordsToPublish(showing, phrases),
    is_revoked: Object.values(domain?.statuses ?? {}).includes('revoked'),
    restriction: restriction && { reason: restriction.reason, at: timeOf(restriction.at) },
    unsubscribed_at: textOf(facts.unsubscribed_at),
    consent: consent && { ...consent, at: textOf(consent.at) },
    blocked_since: textOf(showing.blocked_since),
    complaint: facts.complaint,
    attachment_limit: `${facts.attachment_limit_bytes} bytes`,
    taken_last_hour,
    warm_up_cap,
  };
}

/** `Dec 1, 2026, 2:05 PM GMT-3`: as the panel writes times, with the zone in which they are. */
export function timeIn(timeZone: string, language: Language): (at: Date) => string {
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
  // Programs read the text too: spaces are plain ones.
  return (at) => format.format(at).replaceAll(/\s/g, ' ');
}

/** A name that DNS or a report gave us stands in sentences of ours only where it is one. */
function hostOf({ line, is_sandbox }: Decision): string | undefined {
  const host = line?.remote_host;
  if (!host || is_sandbox) return undefined;
  return /^[\w.:[\]-]{1,255}$/.test(host) ? host : quote(host);
}

function recordsToPublish({ facts: { domain }, platform_domain }: Showing, phrases: Phrases): string[] {
  if (!domain) return [];
  const { statuses } = domain;
  const records = dnsRecordsFor({ ...domain, platform_domain });
  const wanted: DnsRecord[] = [
    ...(statuses.mx === 'verified' ? [] : [records.mx]),
    ...(statuses.spf === 'verified' ? [] : [records.spf]),
    ...(statuses.dkim === 'verified' ? [] : records.dkim),
    ...(statuses.dmarc === 'verified' ? [] : [records.dmarc]),
  ];
  return wanted.map(phrases.publish);
}
