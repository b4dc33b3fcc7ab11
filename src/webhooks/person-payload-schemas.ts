import { Type, type TProperties } from 'typebox';
import type { PersonEventType } from '../announce/index.ts';
import { contactTypes } from '../base/contacts.ts';
import type { PublishedWebhook } from '../base/openapi/document.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

const noMail = {
  mail_id: Nullable(Type.String({ description: 'Always null: it is about no mail.' })),
};

const submission = {
  submission_id: Id('The answer to the form.'),
  form_id: Id('The form.'),
  form_name: Type.String({ description: 'What the form is called.', examples: ['Newsletter'] }),
  answers: Type.Record(Type.String(), Type.Unknown(), {
    description: 'By `field_key`, as in the export. Null: the person took an earlier answer back.',
  }),
  status: Enum(['pending', 'confirmed'] as const, {
    description: '`pending`: the person has yet to confirm by mail. Then `form.confirmed` follows.',
  }),
};

const submissionExample = {
  submission_id: 31,
  form_id: 5,
  form_name: 'Newsletter',
  answers: { EMAIL: 'ana@example.com', FIRST_NAME: 'Ana' },
};

const consent = {
  consent_event_id: Id('The event, which is the evidence.'),
  term_id: Id('The term that was agreed to.'),
  term_name: Type.String({ description: 'What the term is called.', examples: ['Commercial email'] }),
  term_version_id: Id('The exact version.'),
  term_version: Type.String({ description: 'The label of the version.', examples: ['1.0'] }),
  method: Enum(['single_opt_in', 'double_opt_in'] as const),
  source: Enum(['form', 'api', 'import', 'system'] as const, {
    description: '`system`: by a link to unsubscribe or a privacy request.',
  }),
  rules: Type.Array(
    Type.Object({
      channel: Enum(['mail', 'sms', 'wsp', 'call', 'push'] as const),
      contact_type: Enum(contactTypes),
      contact: Type.String({ description: 'The holder, as stored.' }),
      purpose_id: Id('The purpose.'),
      purpose_code: Type.String({ description: 'Its code.', examples: ['newsletter'] }),
    }),
    { description: 'What is granted or withdrawn.' },
  ),
};

const consentExample = {
  consent_event_id: 42,
  term_id: 3,
  term_name: 'Commercial email',
  term_version_id: 7,
  term_version: '1.0',
  method: 'double_opt_in',
  source: 'form',
  rules: [
    {
      channel: 'mail',
      contact_type: 'email_address',
      contact: 'ana@example.com',
      purpose_id: 2,
      purpose_code: 'newsletter',
    },
  ],
};

const request = {
  request_id: Id('The request. Whom it is about is read there, by `rights:read`.'),
  kind: Type.String({ description: 'What is asked for.', examples: ['access'] }),
  origin: Type.String({ description: 'Where it was asked for: `page`, `panel` or `api`.' }),
  received_at: DateTime('When the person asked.'),
  due_at: DateTime('Until when it must be answered.'),
};

interface Description {
  summary: string;
  name: string;
  details: TProperties;
  example: Record<string, unknown>;
}

const descriptions: Record<PersonEventType, Description> = {
  'form.submitted': {
    summary: 'A person filled in a form',
    name: 'FormSubmittedEvent',
    details: submission,
    example: { ...submissionExample, status: 'pending' },
  },
  'form.confirmed': {
    summary: 'A person confirmed by mail what they filled in, or changed it by the link of a mail',
    name: 'FormConfirmedEvent',
    details: submission,
    example: { ...submissionExample, status: 'confirmed' },
  },
  'consent.granted': {
    summary: 'A consent took effect',
    name: 'ConsentGrantedEvent',
    details: consent,
    example: consentExample,
  },
  'consent.withdrawn': {
    summary: 'A denial took effect: a consent was withdrawn, or a purpose opposed',
    name: 'ConsentWithdrawnEvent',
    details: consent,
    example: { ...consentExample, consent_event_id: 57, method: 'single_opt_in', source: 'system' },
  },
  'rights.requested': {
    summary: 'A privacy request is open: the time to answer runs',
    name: 'RightsRequestedEvent',
    details: request,
    example: {
      request_id: 12,
      kind: 'access',
      origin: 'page',
      received_at: '2026-12-01T11:58:00.000Z',
      due_at: '2026-12-31T11:58:00.000Z',
    },
  },
};

export const publishedPersonEvents: PublishedWebhook[] = Object.entries(descriptions).map(
  ([type, { summary, name, details, example }]) => ({
    name: type,
    summary,
    schema: Type.Object(
      {
        type: Enum([type] as const),
        timestamp: DateTime('When it happened.'),
        data: Type.Object({ ...noMail, ...details }),
      },
      { $id: name },
    ),
    example: { type, timestamp: '2026-12-01T12:00:00.000Z', data: { mail_id: null, ...example } },
  }),
);
