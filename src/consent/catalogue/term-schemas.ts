import { Type, type Static } from 'typebox';
import { ExternalId } from '../../base/http/external-id.ts';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';

const termTypes = ['data_processing', 'service_terms', 'marketing', 'subscription', 'other'] as const;
export const channels = ['mail', 'sms', 'wsp', 'call', 'push'] as const;
export type Channel = (typeof channels)[number];

const name = { description: 'What people find it by.', examples: ['Newsletter'] };
const type = Enum(termTypes, { description: 'Its legal nature.' });
const version = { description: 'Label of the version, unique within the term.', examples: ['1.0'] };
const body = {
  description: 'The full legal text.',
  examples: ['I agree to receive the newsletter by mail.'],
};
const document_url = {
  description: 'Where the document can be read in full, if anywhere.',
  examples: ['https://acme.example/terms/1.0.pdf'],
};
const channelList = { description: 'How contacts may be reached under the term.' };
const purposeIds = {
  description: 'The purposes that contacts may be reached for: at least one, fixed when the term is created.',
};

export const ConsentTermVersion = Type.Object(
  {
    id: Id('Identifier of the version: the `term_version_id` of consents given to it.'),
    version: Type.String(version),
    body: Type.String(body),
    document_url: Nullable(Type.String(document_url)),
    is_current: Type.Boolean({ description: 'It is applied to new consents. At most one of a term is.' }),
    published_at: Nullable(DateTime('When its text became final; null while it is a draft.')),
  },
  { $id: 'ConsentTermVersion' },
);
export type ConsentTermVersion = Static<typeof ConsentTermVersion>;

export const ConsentTerm = Type.Object(
  {
    id: Id('The `term_id` used when recording consent.'),
    external_id: ExternalId,
    name: Type.String(name),
    type,
    purpose_ids: Type.Array(Id('A purpose.'), purposeIds),
    channels: Type.Array(Enum(channels), channelList),
    is_active: Type.Boolean({ description: 'An inactive term receives no new consents.' }),
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
    versions: Type.Array(ConsentTermVersion, { description: 'Every version, oldest first.' }),
  },
  { $id: 'ConsentTerm' },
);
export type ConsentTerm = Static<typeof ConsentTerm>;

const newName = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', ...name });
const newChannels = Type.Array(Enum(channels), { maxItems: 20, ...channelList });

/** Lists may be empty: that has its own error code. */
export const NewConsentTerm = Type.Object(
  {
    external_id: Type.Optional(ExternalId),
    name: newName,
    type,
    purpose_ids: Type.Optional(Type.Array(Id('A purpose.'), { maxItems: 100, ...purposeIds })),
    channels: Type.Optional(newChannels),
  },
  { $id: 'NewConsentTerm' },
);
export type NewConsentTerm = Static<typeof NewConsentTerm>;

export const ConsentTermChanges = Type.Partial(
  Type.Object({
    external_id: ExternalId,
    name: newName,
    channels: newChannels,
    is_active: Type.Boolean({ description: 'False: it receives no new consents.' }),
  }),
  { $id: 'ConsentTermChanges' },
);
export type ConsentTermChanges = Static<typeof ConsentTermChanges>;

const text = {
  version: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[^\\s\\p{Cc}](.*[^\\s\\p{Cc}])?$',
    ...version,
  }),
  body: Type.String({ minLength: 1, maxLength: 262_144, pattern: '\\S', ...body }),
  document_url: Nullable(Type.String({ maxLength: 2048, ...document_url })),
};

export const NewConsentTermVersion = Type.Object(
  { ...text, document_url: Type.Optional(text.document_url) },
  { $id: 'NewConsentTermVersion' },
);
export type NewConsentTermVersion = Static<typeof NewConsentTermVersion>;

export const ConsentTermVersionChanges = Type.Partial(Type.Object(text), {
  $id: 'ConsentTermVersionChanges',
});
export type ConsentTermVersionChanges = Static<typeof ConsentTermVersionChanges>;

export const versionExample = {
  id: 12,
  version: '1.0',
  body: 'I agree to receive the newsletter by mail.',
  document_url: null,
  is_current: true,
  published_at: '2026-12-01T12:00:00.000Z',
};

export const termExample = {
  id: 4,
  external_id: 'shop/newsletter',
  name: 'Newsletter',
  type: 'subscription',
  purpose_ids: [2],
  channels: ['mail'],
  is_active: true,
  created_at: '2026-12-01T12:00:00.000Z',
  updated_at: '2026-12-01T12:00:00.000Z',
  versions: [versionExample],
};
