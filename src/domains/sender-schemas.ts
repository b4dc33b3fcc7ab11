import { Type, type Static } from 'typebox';
import { ExternalId } from '../base/http/external-id.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

export const streams = ['transactional', 'broadcast'] as const;

const name = { description: 'Name that recipients see.', examples: ['Acme'] };
const stream = {
  description:
    '`transactional`: answers to what a person did. `broadcast`: sent to many; carries an unsubscribe header, and those who left are not written to.',
};
const requires_consent = {
  description: 'Each recipient is asked for in the consent records before sending.',
};
const consent_purpose_id = Id('Purpose that the consent must be for.');
const track_opens = { description: 'Adds a pixel to the HTML to record opens.' };
const track_clicks = { description: 'Rewrites links in the HTML to record clicks.' };

export const Sender = Type.Object(
  {
    id: Id('Identifier of the sender.'),
    name: Type.String(name),
    email_address: Type.String({
      format: 'email',
      description: 'The value to use as `sender_email` when sending.',
      examples: ['hello@mail.example.com'],
    }),
    external_id: ExternalId,
    domain_id: Id('The domain it belongs to.'),
    stream: Enum(streams, stream),
    requires_consent: Type.Boolean(requires_consent),
    consent_purpose_id: Nullable(consent_purpose_id),
    track_opens: Type.Boolean(track_opens),
    track_clicks: Type.Boolean(track_clicks),
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
  },
  { $id: 'Sender' },
);
export type Sender = Static<typeof Sender>;

const changeable = {
  external_id: ExternalId,
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$', ...name }),
  stream: Enum(streams, stream),
  requires_consent: Type.Boolean(requires_consent),
  consent_purpose_id: Nullable(consent_purpose_id),
  track_opens: Type.Boolean(track_opens),
  track_clicks: Type.Boolean(track_clicks),
};

export const NewSender = Type.Object(
  {
    name: changeable.name,
    email_address: Type.String({ minLength: 3, maxLength: 254, examples: ['hello@mail.example.com'] }),
    external_id: Type.Optional(changeable.external_id),
    stream: Type.Optional({ ...changeable.stream, default: 'transactional' }),
    requires_consent: Type.Optional({ ...changeable.requires_consent, default: false }),
    consent_purpose_id: Type.Optional(changeable.consent_purpose_id),
    track_opens: Type.Optional({ ...changeable.track_opens, default: true }),
    track_clicks: Type.Optional({ ...changeable.track_clicks, default: true }),
  },
  { $id: 'NewSender' },
);
export type NewSender = Static<typeof NewSender>;

export const SenderChanges = Type.Partial(Type.Object(changeable), { $id: 'SenderChanges' });
export type SenderChanges = Static<typeof SenderChanges>;

export const SenderName = Type.Object(
  { id: Id('Identifier of the sender.'), name: Type.String() },
  { $id: 'SenderName' },
);
export const SenderEmail = Type.Object(
  { id: Id('Identifier of the sender.'), email_address: Type.String() },
  { $id: 'SenderEmail' },
);

export const senderExample = {
  id: 5,
  name: 'Acme',
  email_address: 'hello@mail.example.com',
  external_id: 'shop/hello',
  domain_id: 3,
  stream: 'transactional',
  requires_consent: false,
  consent_purpose_id: null,
  track_opens: true,
  track_clicks: true,
  created_at: '2026-12-01T12:00:00.000Z',
  updated_at: '2026-12-01T12:00:00.000Z',
};
