import type { Caller } from '../../base/http/access.ts';
import type { CallContext } from '../../base/http/operation.ts';
import type { Json } from '../chain/canonical-json.ts';
import type { ConsentEvent, ConsentRule } from './event-schemas.ts';

/** What is known about the origin of an event. */
export interface Evidence {
  /** `api_key:…`, `user:…`, `system`. */
  actor?: string;
  address?: string;
  user_agent?: string;
  submission_id?: string;
  /** Why a person recorded it by hand. */
  reason?: string;
  request_id?: string;
  /** The answer by which a person withdrew, and the words that were recognised. */
  received_mail_id?: string;
  words?: string;
  /** `mcp` where an agent recorded it over MCP; `reply` where it was an answer to a mail. */
  via?: string;
  /** Of a consent that was imported: the file, the line in it, when the person agreed and where. */
  import_id?: string;
  file_sha256?: string;
  file_line?: string;
  consented_at?: string;
  origin?: string;
}

/** The caller and its address. For an API key that is the integrator, not the holder. */
export function evidenceOf(
  call: Pick<CallContext, 'address' | 'request_id' | 'header'> & { caller: Caller },
): Evidence {
  const { actor, via } = call.caller;
  const user_agent = call.header('user-agent');
  return {
    actor: `${actor.kind}:${actor.id}`,
    address: call.address,
    request_id: call.request_id,
    ...(user_agent === undefined ? {} : { user_agent }),
    ...(via === undefined ? {} : { via }),
  };
}

/** Truncates input of third parties, so that the whole stays within the constraint of the table. */
export function boundEvidence(evidence: Evidence): Evidence {
  const known = Object.entries(evidence).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, String(value).slice(0, 512).toWellFormed()]));
}

/** A stored rule, with the columns it repeats of its event. */
export interface StoredRule extends ConsentRule {
  instance_id: number;
  term_id: number;
  is_confirmed: boolean;
}

/** A stored event, without its outcome. */
export interface StoredEvent extends Pick<
  ConsentEvent,
  'id' | 'term_id' | 'term_version_id' | 'method' | 'source' | 'created_at'
> {
  instance_id: number;
  text_hash: Buffer;
  status: 'confirmed' | 'pending';
  evidence: Evidence;
  rules: StoredRule[];
}

export interface StoredOutcome {
  event_id: number;
  instance_id: number;
  status: 'confirmed' | 'expired';
  at: Date;
  evidence: Evidence;
}

export type Content = { [name: string]: Json };

/** What is hashed of an event: all of it. docs/consent.md explains how to verify it. */
export function eventContent(event: StoredEvent): Content {
  return {
    kind: 'event',
    id: event.id,
    instance_id: event.instance_id,
    term_id: event.term_id,
    term_version_id: event.term_version_id,
    text_sha256: event.text_hash.toString('hex'),
    status: event.status,
    method: event.method,
    source: event.source,
    evidence: { ...event.evidence },
    created_at: event.created_at.toISOString(),
    rules: event.rules.map(ruleContent),
  };
}

function ruleContent(rule: StoredRule): Content {
  const { id, instance_id, term_id, is_confirmed, channel, contact_type, contact, purpose_id, action } = rule;
  return {
    id,
    instance_id,
    term_id,
    is_confirmed,
    channel,
    contact_type,
    contact,
    purpose_id,
    action,
    created_at: rule.created_at.toISOString(),
  };
}

export function outcomeContent(outcome: StoredOutcome): Content {
  return {
    kind: 'outcome',
    event_id: outcome.event_id,
    instance_id: outcome.instance_id,
    status: outcome.status,
    evidence: { ...outcome.evidence },
    at: outcome.at.toISOString(),
  };
}

/** An event as the API shows it: as recorded, with its outcome. */
export function shownEvent(event: StoredEvent, outcome?: StoredOutcome): ConsentEvent {
  const { id, term_id, term_version_id, method, source, created_at } = event;
  const { status, at } = outcome ?? { status: event.status, at: created_at };
  return {
    id,
    term_id,
    term_version_id,
    status,
    method,
    source,
    confirmed_at: status === 'confirmed' ? at : null,
    expired_at: status === 'expired' ? at : null,
    created_at,
    rules: event.rules.map((rule) => ({
      id: rule.id,
      channel: rule.channel,
      contact_type: rule.contact_type,
      contact: rule.contact,
      purpose_id: rule.purpose_id,
      action: rule.action,
      created_at: rule.created_at,
    })),
  };
}
