import { Type, type Static } from 'typebox';
import { PageQuery } from '../base/http/pagination.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { contactTypes } from '../base/contacts.ts';
import { languages } from '../base/http/preferred-language.ts';
import { answerKinds } from './answer-texts.ts';
import { checklistSteps } from './checklist.ts';

/** Contract §15. */
export const requestKinds = [
  'access',
  'rectification',
  'erasure',
  'opposition',
  'portability',
  'blocking',
] as const;
export type RequestKind = (typeof requestKinds)[number];
export const requestStatuses = ['unverified', 'open', 'fulfilled', 'refused'] as const;
export const requestOrigins = ['page', 'panel', 'api'] as const;
export const maxContacts = 50;
export const stopReasons = ['cancelled', 'failing', 'no_end'] as const;
export type StopReason = (typeof stopReasons)[number];

const RightsContact = Type.Object(
  {
    contact: Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'The identifier, in any spelling: an email address; a phone number in international form (E.164), such as `+56 9 1234 5678`; a code of 3 to 100 letters, digits and characters of `. _ : / + # = -`.',
      examples: ['ana@example.com'],
    }),
    contact_type: Enum(contactTypes, { description: 'What kind of identifier it is.' }),
  },
  { $id: 'RightsContact' },
);

const text = (description: string) => Nullable(Type.String({ description }));

export const RightsRequest = Type.Object(
  {
    id: Id('Identifier of the request.'),
    kind: Enum(requestKinds, { description: 'What the person asks for.' }),
    status: Enum(requestStatuses, {
      description:
        '`unverified`: asked on the page, and the mail to the address was not answered yet. `open`: to be answered until `due_at`. `fulfilled` and `refused` are final.',
    }),
    origin: Enum(requestOrigins, { description: 'How it came in.' }),
    contacts: Type.Array(RightsContact, {
      description: 'The identifiers of the person. Empty once the person was erased.',
    }),
    purpose_ids: Type.Array(Id('Identifier of a consent purpose.'), {
      description: 'Of an opposition: the purposes it is about. Empty means all.',
    }),
    detail: text('What the person said.'),
    language: Enum(languages, { description: 'In which the person asked on the page; else `es`.' }),
    received_at: DateTime('When the person asked.'),
    due_at: DateTime('Until when it has to be answered.'),
    is_overdue: Type.Boolean({ description: 'Open after `due_at`.' }),
    extended_at: Nullable(DateTime('When the time was extended, once, by 30 days.')),
    extension_reason: text('Why it was extended.'),
    verified_at: Nullable(DateTime('When the person answered the mail to the address.')),
    started_at: Nullable(DateTime('Of an erasure: since when it is being carried out.')),
    stopped_at: Nullable(DateTime('Of an erasure: when it was stopped before its end.')),
    stop_reason: Nullable(
      Enum(stopReasons, {
        description:
          '`cancelled`: by people. `failing`: it failed ten times in a row. `no_end`: mail waited, or the work went on, longer than it can. Fulfil the request again to go on, or cancel the erasure.',
      }),
    ),
    closed_at: Nullable(DateTime('When it was fulfilled or refused.')),
    ground: text('Of a refusal: on which legal ground.'),
    resolution: text('What was done.'),
    lifted_at: Nullable(DateTime('Of a blocking: when it was lifted.')),
  },
  { $id: 'RightsRequest' },
);
export type RightsRequest = Static<typeof RightsRequest>;

const Receipt = Type.Object({
  step: Type.String({
    description:
      '`received`, `verified`, `extended`, `started`, `stopped`, `resumed`, `cancelled`, `downloaded`, `fulfilled`, `refused`, `lifted`.',
  }),
  at: DateTime('When.'),
  sequence: Type.Integer({ description: 'Its place in the hash chain of the consent evidence.' }),
  hash: Type.String({ description: 'SHA-256 of that place, in hexadecimal.' }),
});

const Step = Enum(checklistSteps, { description: 'What has to be done.' });

export const RightsRequestDetail = Type.Object(
  {
    ...RightsRequest.properties,
    note: text('For your colleagues. It is part of the person’s archive and goes with an erasure.'),
    checklist: Type.Array(
      Type.Object({ step: Step, is_done: Type.Boolean({ description: 'As you marked it.' }) }),
      { description: 'What to do before you answer a request of this kind. It stops nothing.' },
    ),
    receipts: Type.Array(Receipt, { description: 'Oldest first.' }),
  },
  { $id: 'RightsRequestDetail' },
);

export const NewRightsRequest = Type.Object({
  kind: Enum(requestKinds, { description: 'What the person asks for.' }),
  contacts: Type.Array(RightsContact, {
    minItems: 1,
    maxItems: maxContacts,
    description: 'All identifiers of one person.',
  }),
  purpose_ids: Type.Optional(
    Type.Array(Id('Identifier of a consent purpose.'), {
      maxItems: 100,
      uniqueItems: true,
      description: 'Of an opposition: the purposes it is about. Left out or empty means all.',
    }),
  ),
  detail: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 4000, description: 'What they said.' })),
  ),
  received_at: Type.Optional(
    Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the person asked, if that was before now. The time to answer runs from then.',
        examples: ['2026-12-01T12:00:00Z'],
      }),
    ),
  ),
});
export type NewRightsRequest = Static<typeof NewRightsRequest>;

export const RequestAnnotation = Type.Object(
  {
    note: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 4000, description: 'Replaces the note; null deletes it.' }),
      ),
    ),
    checked: Type.Optional(
      Nullable(
        Type.Array(Step, {
          maxItems: checklistSteps.length,
          uniqueItems: true,
          description: 'The steps of the checklist that are done. Replaces those marked before.',
        }),
      ),
    ),
  },
  { $id: 'RightsRequestAnnotation' },
);

export const HeldData = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As the files of an archive are named.' }),
        about: Type.String({ description: 'What it is.' }),
        rows: Type.Integer({ description: 'How many, counted up to 10,000.' }),
        has_more: Type.Boolean({ description: 'There are more than were counted.' }),
      }),
      { description: 'Empty once the person was erased.' },
    ),
  },
  { $id: 'RightsHeldData' },
);
export type HeldData = Static<typeof HeldData>;
export const heldExample = {
  data: [
    { name: 'mails', about: 'Mails to the person.', rows: 34, has_more: false },
    { name: 'consents', about: 'What the person agreed to.', rows: 2, has_more: false },
  ],
};

export const AnswersQuery = Type.Object({
  language: Type.Optional(
    Nullable(Enum(languages, { description: 'Left out: the language of the request.' })),
  ),
});
export const Answers = Type.Object(
  {
    language: Enum(languages, { description: 'Of the drafts.' }),
    data: Type.Array(
      Type.Object({
        answer: Enum(answerKinds, {
          description: 'What it says: the request is in, takes longer, was fulfilled or refused.',
        }),
        subject: Type.String({ description: 'Of a mail.' }),
        text: Type.String({ description: 'Plain text. What you have to fill in stands in brackets.' }),
      }),
    ),
  },
  { $id: 'RightsAnswers' },
);
export type Answers = Static<typeof Answers>;
export const answersExample = {
  language: 'en',
  data: [
    {
      answer: 'received',
      subject: 'Your request for access to your data (no. 42)',
      text: 'Hello,\n\nwe received your request for access to your data on 1 December 2026.\n\nKind regards,\nAcme',
    },
  ],
};

export const Fulfilment = Type.Object({
  resolution: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 4000, description: 'What you did, for the record.' })),
  ),
  send_archive: Type.Optional(
    Nullable(
      Type.Boolean({
        description:
          'Of a request for access or portability with an email address: whether the person is mailed a link to their archive. True when left out.',
      }),
    ),
  ),
});
export const Refusal = Type.Object({
  ground: Type.String({ minLength: 1, maxLength: 2000, description: 'The legal ground of the refusal.' }),
});
export const Extension = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 2000, description: 'Why more time is needed.' }),
});

export const RequestsQuery = PageQuery({
  kind: Type.Optional(Nullable(Enum(requestKinds, { description: 'Only requests of this kind.' }))),
  status: Type.Optional(Nullable(Enum(requestStatuses, { description: 'Only requests in this state.' }))),
  contact: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Only requests of this person, by one of their identifiers; found after an erasure too.',
      }),
    ),
  ),
});
export type RequestsQuery = Static<typeof RequestsQuery>;

export const requestExample = {
  id: 42,
  kind: 'access',
  status: 'open',
  origin: 'api',
  contacts: [{ contact: 'ana@example.com', contact_type: 'email_address' }],
  purpose_ids: [],
  detail: null,
  language: 'es',
  received_at: '2026-12-01T12:00:00.000Z',
  due_at: '2026-12-31T12:00:00.000Z',
  is_overdue: false,
  extended_at: null,
  extension_reason: null,
  verified_at: null,
  started_at: null,
  stopped_at: null,
  stop_reason: null,
  closed_at: null,
  ground: null,
  resolution: null,
  lifted_at: null,
};
export const requestDetailExample = {
  ...requestExample,
  note: 'Asked at the counter in Valdivia.',
  checklist: [
    { step: 'identity_verified', is_done: true },
    { step: 'archive_reviewed', is_done: false },
    { step: 'other_systems', is_done: false },
    { step: 'answer_sent', is_done: false },
  ],
  receipts: [
    {
      step: 'received',
      at: '2026-12-01T12:00:00.000Z',
      sequence: 1205,
      hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  ],
};
