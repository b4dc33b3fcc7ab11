import { Type, type Static } from 'typebox';
import type { Queryable, Statement } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { canonicalContact, contactTypes } from './record/contacts.ts';
import { channels } from './catalogue/term-schemas.ts';
import {
  createConsentLookup,
  no_rule,
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
      rule_id: 77,
      consent_event_id: 42,
      term_id: 3,
      decided_at: '2026-12-01T12:00:00.000Z',
    },
  ],
};

export function resolveRoutes({ db }: { db: Queryable }): Operation[] {
  const lookUp = createConsentLookup(db);
  return [
    operation({
      id: 'resolve_consent',
      method: 'GET',
      path: '/v1/consent-rules/resolve',
      tag: 'Consent',
      summary: 'Resolve the verdict for a holder',
      description:
        'Whether one holder, known by 1 to 50 identifiers, may be reached over a channel for a purpose: the verdict that a send from a consent-requiring sender applies. Only confirmed events count. Of one contact, channel, purpose and term the newest rule stands; between standing rules of different terms or identifiers, `deny` wins. For a person who is blocked at their own request the verdict is `deny`, and nothing on record is shown.',
      access: { kind: 'api_key', scope: 'consent:read' },
      query: ResolveQuery,
      success: { status: 200, description: 'The verdict.', schema: ResolvedConsent, example },
      errors: ['consent_contact_pairs_mismatch'],
      handle: async ({ caller, query }) => await resolveConsent({ db, lookUp }, caller.instance.id, query),
    }),
  ];
}

const find_blocked: Statement = {
  name: 'consent.blocked_contacts',
  text: 'select blocked_contacts($1) as contacts',
};

/** Contract §15: nothing is sent to the person, and nothing about them is shown. */
const blocked: ContactVerdict = { ...no_rule, verdict: 'deny' };

async function resolveConsent(
  { db, lookUp }: { db: Queryable; lookUp: ConsentLookup },
  instanceId: number,
  { contact, contact_type, channel = 'mail', purpose_id: purpose }: Static<typeof ResolveQuery>,
): Promise<ResolvedConsent> {
  if (contact.length !== contact_type.length) throw new Problem('consent_contact_pairs_mismatch');
  const contacts = contact_type.map((type, index) => ({ contact_type: type, contact: contact[index] ?? '' }));
  const [onRecord, [row]] = await Promise.all([
    lookUp({ instance_id: instanceId, channel, purpose_id: purpose, contacts }),
    db.query<{ contacts: string[] | null }>(find_blocked, [instanceId]),
  ]);
  const isBlocked = new Set(row?.contacts);
  const found = contacts.map((each, index) =>
    isBlocked.has(canonicalContact(each)) ? blocked : (onRecord[index] ?? no_rule),
  );
  return {
    verdict: overallVerdict(found),
    channel,
    purpose_id: purpose,
    results: contacts.map((each, index) => ({ ...each, ...(found[index] ?? no_rule) })),
  };
}
