import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { methods, sources } from '../consent/index.ts';
import { requestKinds, requestStatuses } from '../rights/index.ts';

const verdicts = ['allow', 'deny'] as const;
const address = Type.String({
  description: 'The email address, in canonical form.',
  examples: ['ana@example.com'],
});
const answers = (description: string) => Type.Object({}, { additionalProperties: true, description });

const ContactConsent = Type.Object(
  {
    purpose_id: Id('The purpose.'),
    purpose_code: Type.String(),
    purpose_name: Type.String(),
    verdict: Enum(verdicts, { description: 'Whether the person may be written to for this purpose.' }),
    decided_at: DateTime('Since when.'),
    consent_event_id: Id('The event that decided it.'),
    term_id: Id('The term.'),
    term_name: Type.String(),
    term_version_id: Id('The version whose text was shown.'),
    version: Type.String(),
    method: Enum(methods, { description: 'How the consent was obtained.' }),
    source: Enum(sources, { description: 'Where it came from.' }),
  },
  { $id: 'ContactConsent' },
);

export const ContactListItem = Type.Object(
  {
    contact: address,
    answers: answers('What the contact told last, by `field_key`.'),
    consents: Type.Array(
      Type.Object({
        purpose_id: Id('The purpose.'),
        purpose_code: Type.String(),
        purpose_name: Type.String(),
        verdict: Enum(verdicts, { description: 'Over mail.' }),
      }),
      { description: 'What the contact said about each purpose, over mail.' },
    ),
  },
  { $id: 'ContactListItem' },
);
export type ContactListItem = Static<typeof ContactListItem>;

const ContactAnswer = Type.Object(
  {
    field_key: Type.String({ description: 'The field.' }),
    name: Type.String({ description: 'What people read.' }),
    type: Type.String({ description: 'Of the field.' }),
    value: Type.Unsafe<unknown>({ description: 'As stored.' }),
    told_at: DateTime('When it was told.'),
    is_proven: Type.Boolean({
      description:
        'Told by double opt-in or by a link to the mailbox, so that it outweighs what anybody may type.',
    }),
    submission_id: Id('Where it was told.'),
    form_id: Nullable(Id('The form; null for what was imported.')),
    contact_import_id: Nullable(Id('The import; null for what was filled in.')),
  },
  { $id: 'ContactAnswer' },
);

const ContactSubmission = Type.Object(
  {
    id: Id('Identifier of the submission.'),
    form_id: Nullable(Id('The form; null for what was imported.')),
    form_name: Nullable(Type.String()),
    contact_import_id: Nullable(Id('The import; null for what was filled in.')),
    is_update: Type.Boolean({
      description: 'Sent by a link to the mailbox, to change what was told before.',
    }),
    created_at: DateTime('When.'),
  },
  { $id: 'ContactSubmission' },
);

const ContactMail = Type.Object(
  {
    mail_id: Type.String(),
    subject: Type.String(),
    sender: Type.String({ description: 'Address of the sender.' }),
    status: Type.Integer({
      description: '1 received, 2 queued, 3 sent, 4 dropped, 5 deferred, 6 bounced, 7 onhold.',
    }),
    received_at: DateTime('When the mail was accepted.'),
    opens: Type.Integer(),
    clicks: Type.Integer(),
  },
  { $id: 'ContactMail' },
);

const ContactRequest = Type.Object(
  {
    id: Id('Identifier of the request.'),
    kind: Enum(requestKinds, { description: 'What was asked for.' }),
    status: Enum(requestStatuses, { description: 'How far it is.' }),
    received_at: DateTime('When it was asked.'),
    due_at: DateTime('Until when it has to be answered.'),
  },
  { $id: 'ContactRequest' },
);

/** Of each list in a contact. */
export const listedAtMost = 20;

export const Contact = Type.Object(
  {
    contact: address,
    answers: Type.Array(ContactAnswer, { description: 'What the contact told last, field by field.' }),
    consents: Type.Array(ContactConsent, { description: 'The standing consent of each purpose, over mail.' }),
    suppression: Type.Object(
      {
        restricted: Nullable(
          Type.Object({
            id: Id('Identifier of the restriction.'),
            reason: Type.String({ description: '`hard_bounce`, `complaint` or `manual`.' }),
            created_at: DateTime('Since when no mail is sent.'),
          }),
        ),
        unsubscribed_at: Nullable(DateTime('Since when no broadcast is sent.')),
        complained_at: Nullable(DateTime('The last complaint.')),
      },
      { description: 'What keeps mail from the contact.' },
    ),
    submissions: Type.Array(ContactSubmission, {
      description: `What counts of forms and imports, the newest ${listedAtMost}.`,
    }),
    mails: Type.Array(ContactMail, {
      description: `The newest ${listedAtMost} mails within retention; \`GET /v1/mails\` with \`recipient\` has all.`,
    }),
    rights_requests: Nullable(
      Type.Array(ContactRequest, {
        description: `Privacy requests, the newest ${listedAtMost}; null for callers who may not read them.`,
      }),
    ),
  },
  { $id: 'Contact' },
);
export type Contact = Static<typeof Contact>;

export const ExportedContact = Type.Object(
  {
    contact: address,
    allowed: Nullable(
      Type.String({ description: 'Codes of purposes that are allowed, with blanks between.' }),
    ),
    denied: Nullable(Type.String({ description: 'Codes of purposes that are denied, with blanks between.' })),
    is_restricted: Type.Boolean({ description: 'No mail is sent.' }),
    is_unsubscribed: Type.Boolean({ description: 'No broadcast is sent.' }),
  },
  {
    additionalProperties: { description: 'One member for each field, named by its `field_key`.' },
    $id: 'ExportedContact',
  },
);

export const contactFilters = {
  contact: Type.Optional(
    Nullable(
      Type.String({ minLength: 1, maxLength: 254, description: 'Part of the address, in either case.' }),
    ),
  ),
};

const at = '2026-12-01T12:00:00.000Z';
const standing = { purpose_id: 1, purpose_code: 'marketing', purpose_name: 'Marketing', verdict: 'allow' };

export const listExample = {
  contact: 'ana@example.com',
  answers: { FIRST_NAME: 'Ana', CITY: 'Valparaíso' },
  consents: [standing],
};

export const contactExample = {
  contact: 'ana@example.com',
  answers: [
    {
      field_key: 'FIRST_NAME',
      name: 'First name',
      type: 'text',
      value: 'Ana',
      told_at: at,
      is_proven: true,
      submission_id: 21,
      form_id: 4,
      contact_import_id: null,
    },
  ],
  consents: [
    {
      ...standing,
      decided_at: at,
      consent_event_id: 30,
      term_id: 3,
      term_name: 'Newsletter',
      term_version_id: 5,
      version: '2.0',
      method: 'double_opt_in',
      source: 'form',
    },
  ],
  suppression: { restricted: null, unsubscribed_at: null, complained_at: null },
  submissions: [
    {
      id: 21,
      form_id: 4,
      form_name: 'Newsletter',
      contact_import_id: null,
      is_update: false,
      created_at: at,
    },
  ],
  mails: [
    {
      mail_id: '0198b5e4-7c00-7000-8000-000000000001',
      subject: 'News of December',
      sender: 'news@example.com',
      status: 3,
      received_at: at,
      opens: 1,
      clicks: 0,
    },
  ],
  rights_requests: [],
};

export const exportExample = {
  contact: 'ana@example.com',
  FIRST_NAME: 'Ana',
  allowed: 'marketing',
  denied: null,
  is_restricted: false,
  is_unsubscribed: false,
};
