import { Type, type Static } from 'typebox';
import type { BlockedPersons } from '../base/db/blocked-contacts.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { contactTypes } from '../base/contacts.ts';
import { channels } from './catalogue/term-schemas.ts';
import {
  createConsentLookup,
  noRule,
  overallVerdict,
  type ConsentLookup,
  type ContactVerdict,
} from './verdict.ts';

const verdicts = ['allow', 'deny', 'none'] as const;
const purpose_id = Id('The purpose that is asked about.');

const ResolveQuery = Type.Object({
  contact: Type.Array(Type.String({ minLength: 1, maxLength: 254 }), {
    minItems: 1,
    maxItems: 50,
    description: 'An identifier of the holder; repeat it for each one the holder has.',
  }),
  contact_type: Type.Array(Enum(contactTypes), {
    minItems: 1,
    maxItems: 50,
    description: 'The type of each `contact`, in the same order.',
  }),
  channel: Type.Optional(
    Enum(channels, { default: 'mail', description: 'The channel that is asked about.' }),
  ),
  purpose_id,
});

const ResolvedConsent = Type.Object(
  {
    verdict: Enum(verdicts, { description: 'Over all identifiers: one `deny` is enough to refuse.' }),
    channel: Enum(channels),
    purpose_id,
    results: Type.Array(
      Type.Object({
        contact: Type.String({ description: 'As asked.' }),
        contact_type: Enum(contactTypes),
        verdict: Enum(verdicts, { description: '`none`: nothing on record.' }),
        is_applied_by_sends: Type.Boolean({
          description:
            'Whether a send looks this identifier up. A mail knows its recipient by the address only: what is on record for a code over `mail` neither allows a mail nor stops one.',
        }),
        rule_id: Nullable(Id('The rule that decides; null where there is none, or it is not shown.')),
        consent_event_id: Nullable(Id('Its event.')),
        term_id: Nullable(Id('The term it was given under.')),
        decided_at: Nullable(DateTime('When it was recorded, or confirmed where it had to be.')),
      }),
    ),
  },
  { $id: 'ResolvedConsent' },
);
type ResolvedConsent = Static<typeof ResolvedConsent>;

const example = {
  verdict: 'allow',
  channel: 'mail',
  purpose_id: 1,
  results: [
    {
      contact: 'ana@example.com',
      contact_type: 'email_address',
      verdict: 'allow',
      is_applied_by_sends: true,
      rule_id: 77,
      consent_event_id: 42,
      term_id: 3,
      decided_at: '2026-12-01T12:00:00.000Z',
    },
  ],
};

interface ResolveContext {
  db: Queryable;
  blocked: BlockedPersons;
}

export function resolveRoutes({ db, blocked }: ResolveContext): Operation[] {
  const lookUp = createConsentLookup(db);
  return [
    operation({
      id: 'resolve_consent',
      method: 'GET',
      path: '/v1/consent-rules/resolve',
      tag: 'Consent',
      summary: 'Resolve the verdict for a holder',
      description:
        'Whether one holder, known by 1 to 50 identifiers, may be reached over a channel for a purpose: the verdict that a send from a consent-requiring sender applies. Only confirmed events count. Of one contact, channel, purpose and term the newest rule stands; between standing rules of different terms or identifiers, `deny` wins. `is_applied_by_sends` says which identifiers a send looks up: addresses over `mail`. A purpose that the instance does not have is 404; a disabled one is resolved. For a person who is blocked at their own request the verdict is `deny`, and nothing on record is shown.',
      access: { kind: 'api_key', scope: 'consent:read' },
      query: ResolveQuery,
      success: { status: 200, description: 'The verdict.', schema: ResolvedConsent, example },
      errors: ['consent_contact_pairs_mismatch', 'consent_purpose_not_found'],
      handle: async ({ caller, query }) =>
        await resolveConsent({ db, lookUp, blocked }, caller.instance.id, query),
    }),
  ];
}

const findPurpose: Statement = {
  name: 'consent.purpose',
  text: 'select from consent_purposes where instance_id = $1 and id = $2',
};

/** Contract §15: nothing is sent to the person, and nothing about them is shown. */
const verdictOfBlocked: ContactVerdict = { ...noRule, verdict: 'deny' };

async function resolveConsent(
  { db, lookUp, blocked }: ResolveContext & { lookUp: ConsentLookup },
  instanceId: number,
  { contact, contact_type, channel = 'mail', purpose_id: purpose }: Static<typeof ResolveQuery>,
): Promise<ResolvedConsent> {
  if (contact.length !== contact_type.length) throw new Problem('consent_contact_pairs_mismatch');
  const contacts = contact_type.map((type, index) => ({ contact_type: type, contact: contact[index] ?? '' }));
  const [onRecord, purposes, isBlocked] = await Promise.all([
    lookUp({ instance_id: instanceId, channel, purpose_id: purpose, contacts }),
    db.query(findPurpose, [instanceId, purpose]),
    blocked.among(instanceId, (each) => contacts.map(each)),
  ]);
  // A verdict of `none` for a purpose that does not exist would hide a mistake of the caller.
  if (purposes.length === 0) throw new Problem('consent_purpose_not_found');
  const found = contacts.map((each, index) =>
    isBlocked?.(each) ? verdictOfBlocked : (onRecord[index] ?? noRule),
  );
  return {
    verdict: overallVerdict(found),
    channel,
    purpose_id: purpose,
    results: contacts.map((each, index) => ({
      ...each,
      ...(found[index] ?? noRule),
      is_applied_by_sends: channel === 'mail' && each.contact_type === 'email_address',
    })),
  };
}
