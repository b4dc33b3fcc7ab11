import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { ConsentChainCheck } from '../chain/chain-panel-routes.ts';
import { contactTypes } from '../../base/contacts.ts';
import { ConsentEvent } from '../record/event-schemas.ts';
import { channels, ConsentTerm, ConsentTermVersion } from '../catalogue/term-schemas.ts';

const hex = (description: string) => Type.String({ description });
const link = {
  sequence: Type.Integer({ description: 'Its place in the chain of the instance.' }),
  previous_hash: hex('The hash of the place before.'),
  hash: hex('SHA-256 of `hashed`, in hexadecimal.'),
  hashed: Type.String({ description: 'What the row says, in the canonical form of RFC 8785.' }),
  is_unaltered: Type.Boolean({ description: 'The row, and the text it stands on, are what was hashed.' }),
};
const evidence = Type.Record(Type.String(), Type.String(), {
  description: 'Origin: actor, address, user agent, submission.',
});

const EvidenceEvent = Type.Object({
  ...ConsentEvent.properties,
  evidence,
  ...link,
  outcome: Nullable(
    Type.Object(
      { status: Enum(['confirmed', 'expired']), at: DateTime('When.'), evidence, ...link },
      { description: 'The result of an event that waited for its confirmation.' },
    ),
  ),
});
export type EvidenceEvent = Static<typeof EvidenceEvent>;

export const ConsentEvidence = Type.Object(
  {
    contact: Type.String({ description: 'As asked.' }),
    instance: Type.Object({ slug: Type.String(), name: Type.String(), timezone: Type.String() }),
    generated_at: DateTime('When the document was made.'),
    standing: Type.Array(
      Type.Object({
        contact_type: Enum(contactTypes),
        contact: Type.String(),
        channel: Enum(channels),
        purpose_id: Id('The purpose.'),
        verdict: Enum(['allow', 'deny', 'none']),
        decided_at: Nullable(DateTime('When.')),
      }),
      { description: 'What holds now, for each channel and purpose ever spoken of.' },
    ),
    events: Type.Array(EvidenceEvent, { description: 'Oldest first.' }),
    has_more: Type.Boolean({ description: 'There are more events than a document takes.' }),
    terms: Type.Array(
      Type.Object({
        ...Type.Pick(ConsentTerm, ['id', 'name', 'type']).properties,
        versions: Type.Array(Type.Omit(ConsentTermVersion, ['is_current']), {
          description: 'The versions that were agreed to, with their full texts.',
        }),
      }),
    ),
    purposes: Type.Array(Type.Object({ id: Id('The purpose.'), code: Type.String(), name: Type.String() })),
    chain: ConsentChainCheck,
  },
  { $id: 'ConsentEvidence' },
);
export type ConsentEvidence = Static<typeof ConsentEvidence>;
