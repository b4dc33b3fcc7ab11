import type { Queryable } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import type { Actor } from '../audit/index.ts';
import { canonicalContact, type Contact, faultOfIdentifier } from '../base/contacts.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { announceRequest } from './announce-request.ts';
import { recordStep } from './record-step.ts';
import type { NewRightsRequest, requestOrigins } from './request-schemas.ts';

/** The law counts days, Sundays and holidays included. */
const answerDays = 30;
const dayMs = 86_400_000;

export const answerBy = (from: Date): Date => new Date(from.getTime() + answerDays * dayMs);

export interface Opening {
  request: NewRightsRequest;
  origin: (typeof requestOrigins)[number];
  /** The mail to the address was not answered yet. */
  is_unverified?: boolean;
  language?: 'es' | 'en';
  hashes: ContactHashes;
  actor: Actor;
  now: Date;
}

/** The time to answer runs from the day the person asked. */
export async function openRequest(
  tx: Queryable,
  instanceId: number,
  opening: Opening,
): Promise<{ id: number }> {
  const { request, origin, is_unverified = false, language = 'es', hashes, actor, now } = opening;
  const contacts = distinct(request.contacts);
  const received_at = receivedAt(request.received_at, now);
  await requirePurposes(tx, instanceId, request.purpose_ids ?? []);
  const contact_hashes = contacts.map((contact) => hashes.of(instanceId, contact));
  const [row] = await tx.query<{ id: number }>(
    `insert into rights_requests (instance_id, kind, status, origin, contacts, contact_hashes, purpose_ids, detail,
       language, received_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      instanceId,
      request.kind,
      is_unverified ? 'unverified' : 'open',
      origin,
      JSON.stringify(contacts),
      contact_hashes,
      request.purpose_ids ?? [],
      request.detail ?? null,
      language,
      received_at,
      answerBy(received_at),
    ],
  );
  const id = row?.id as number;
  const details = { origin, due_at: answerBy(received_at).toISOString() };
  const about = { id, kind: request.kind, contact_hashes };
  await recordStep(tx, instanceId, { request: about, step: 'received', actor, at: now, details });
  if (!is_unverified) await announceRequest(tx, { id, instance_id: instanceId }, now);
  return { id };
}

/** In canonical form, each once. Whatever else a text says, it is an identifier of its type. */
function distinct(contacts: Contact[]): Contact[] {
  const violations = contacts.flatMap((given, index) => {
    const fault = faultOfIdentifier(given);
    return fault ? [{ pointer: `/contacts/${index}/contact`, ...fault }] : [];
  });
  if (violations.length > 0) throw validationProblem(violations);
  const canonical = contacts.map(({ contact_type, contact }) => ({
    contact_type,
    contact: canonicalContact({ contact_type, contact }),
  }));
  return [...new Map(canonical.map((each) => [`${each.contact_type} ${each.contact}`, each])).values()];
}

function receivedAt(text: string | null | undefined, now: Date): Date {
  if (!text) return now;
  const at = new Date(text);
  if (at.getTime() <= now.getTime() && at.getTime() > now.getTime() - 365 * dayMs) return at;
  const message = 'This is not a time within the past year';
  throw validationProblem([{ pointer: '/received_at', code: 'value_error.date', message }]);
}

async function requirePurposes(tx: Queryable, instanceId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const known = await tx.query<{ id: number }>(
    'select id from consent_purposes where instance_id = $1 and id = any ($2::bigint[])',
    [instanceId, ids],
  );
  const found = new Set(known.map(({ id }) => id));
  const unknown = ids.flatMap((id, index) => (found.has(id) ? [] : [index]));
  if (unknown.length === 0) return;
  throw validationProblem(
    unknown.map((index) => ({
      pointer: `/purpose_ids/${index}`,
      code: 'value_error',
      message: 'There is no such purpose in this instance',
    })),
  );
}
