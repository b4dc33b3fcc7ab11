import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { contactTypes } from '../../base/contacts.ts';
import { channels } from '../catalogue/term-schemas.ts';

export const eventStatuses = ['confirmed', 'pending', 'expired'] as const;
export type EventStatus = (typeof eventStatuses)[number];
export const methods = ['single_opt_in', 'double_opt_in'] as const;
export const sources = ['form', 'api', 'import', 'system'] as const;
export const actions = ['allow', 'deny'] as const;

const purpose_id = Id('What the contact may be written to for: a purpose of the term.');

export const ConsentRule = Type.Object(
  {
    id: Id('Identifier of the rule.'),
    channel: Enum(channels, { description: 'The channel the rule is about.' }),
    contact_type: Enum(contactTypes, { description: 'What kind of identifier `contact` is.' }),
    contact: Type.String({
      description: 'The holder: emails trimmed and in lower case, unique codes exactly as sent.',
      examples: ['ana@example.com'],
    }),
    purpose_id,
    action: Enum(actions, { description: '`allow` grants, `deny` revokes.' }),
    created_at: DateTime('When it was recorded.'),
  },
  { $id: 'ConsentRule' },
);
export type ConsentRule = Static<typeof ConsentRule>;

export const ConsentEvent = Type.Object(
  {
    id: Id('Identifier of the event.'),
    term_id: Id('The term that was agreed to.'),
    term_version_id: Id('The exact version accepted, whatever the term publishes later.'),
    status: Enum(eventStatuses, {
      description: 'Only `confirmed` events authorise; `pending` ones wait for the double opt-in.',
    }),
    method: Enum(methods, { description: 'How the consent was obtained.' }),
    source: Enum(sources, { description: 'Where it came from.' }),
    confirmed_at: Nullable(DateTime('When it was confirmed.')),
    expired_at: Nullable(DateTime('When it expired without a confirmation.')),
    created_at: DateTime('When it was recorded.'),
    rules: Type.Array(ConsentRule),
  },
  { $id: 'ConsentEvent' },
);
export type ConsentEvent = Static<typeof ConsentEvent>;

/** At most one per channel and purpose: five channels, a hundred purposes. */
const maxRules = 500;

const NewConsentRule = Type.Object(
  {
    channel: Type.Optional(
      Enum(channels, { default: 'mail', description: 'A channel that the term covers.' }),
    ),
    contact_type: Enum(contactTypes, {
      description:
        '`mail` takes `email_address` or `uniquecode`; `sms`, `wsp` and `call` take `phone_number` or `uniquecode`; `push` takes `uniquecode`.',
    }),
    contact: Type.String({
      minLength: 1,
      maxLength: 254,
      // Blank is refused here, empty by its length.
      pattern: String.raw`^$|\S`,
      description:
        'The holder: an email address, a phone number of 6 to 15 digits, or any code. Emails are stored trimmed and in lower case, unique codes as sent.',
      examples: ['ana@example.com'],
    }),
    purpose_id,
    action: Enum(actions, { description: '`allow` grants, `deny` revokes.' }),
  },
  { $id: 'NewConsentRule' },
);
export type NewConsentRule = Static<typeof NewConsentRule>;

export const NewConsentEvent = Type.Object(
  {
    term_id: Id('The term; its current version is the one accepted.'),
    method: Enum(methods, { description: 'How you obtained the consent.' }),
    rules: Type.Array(NewConsentRule, {
      minItems: 1,
      maxItems: maxRules,
      description: 'One per channel and purpose.',
    }),
  },
  { $id: 'NewConsentEvent' },
);
export type NewConsentEvent = Static<typeof NewConsentEvent>;
