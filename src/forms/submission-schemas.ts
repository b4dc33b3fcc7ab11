import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

export const submissionStatuses = ['pending', 'confirmed', 'expired'] as const;

const parts = {
  id: Id('Identifier of the submission.'),
  status: Enum(submissionStatuses, {
    description:
      '`pending` waits for the confirmation of a double opt-in. It is `expired` when it was not confirmed in time, or when every consent of the submission has expired.',
  }),
  created_at: DateTime('When it was submitted.'),
  confirmed_at: Nullable(DateTime('When it was confirmed; without double opt-in, when it was submitted.')),
};

export const FormSubmission = Type.Object(
  {
    ...parts,
    answers: Type.Object({}, { additionalProperties: true, description: 'By `field_key`.' }),
    consent_event_ids: Type.Array(Type.Integer(), {
      description: 'Evidence of the consents of the submission.',
    }),
    address: Nullable(Type.String({ description: 'Where it came from.' })),
    user_agent: Nullable(Type.String()),
    is_return: Type.Boolean({
      description:
        'The person was erased and asks to come back. Their consents are recorded once they confirm it; unconfirmed, all of it is erased.',
    }),
    is_update: Type.Boolean({
      description:
        'Sent with a form of type `update`, by a link to the mailbox of the address. A member of `answers` that is null was told before and is taken back.',
    }),
    replaced_by: Nullable(
      Id(
        'The newest submission by which the same contact changed an answer of this one; it may be of another form.',
      ),
    ),
  },
  { $id: 'FormSubmission' },
);
export type FormSubmission = Static<typeof FormSubmission>;

export const FormSubmissionDetail = Type.Object(
  {
    ...FormSubmission.properties,
    consents: Type.Array(
      Type.Object({
        consent_event_id: Type.Integer(),
        term_id: Type.Integer(),
        name: Type.String({ description: 'Of the term.' }),
        version: Type.String({ description: 'What was agreed to.' }),
        status: Enum(['pending', 'confirmed', 'expired'], { description: 'Of the consent event.' }),
        action: Enum(['allow', 'deny'], {
          description: '`deny` withdraws what was agreed to before, with a form of type `update`.',
        }),
      }),
      { description: 'What the person agreed to or withdrew by the submission.' },
    ),
    history: Type.Array(
      Type.Object({
        id: Id('Identifier of the submission.'),
        form_id: Id('Its form.'),
        form_name: Type.String(),
        is_update: Type.Boolean(),
        created_at: DateTime('When it was submitted.'),
        answers: Type.Object({}, { additionalProperties: true, description: 'By `field_key`.' }),
      }),
      {
        description:
          'What else the same contact submitted and counts, the newest first, at most 50. Contacts are recognised by the field `EMAIL`.',
      },
    ),
  },
  { $id: 'FormSubmissionDetail' },
);
export type FormSubmissionDetail = Static<typeof FormSubmissionDetail>;

export const ExportedSubmission = Type.Object(
  {
    ...parts,
    replaced_by: FormSubmission.properties.replaced_by,
  },
  {
    additionalProperties: {
      description:
        'One member for each field of the form, named by its `field_key`; null where nothing was answered.',
    },
    $id: 'ExportedSubmission',
  },
);

export const submissionFilters = {
  status: Type.Optional(
    Nullable(Enum(submissionStatuses, { description: 'Only submissions in this state.' })),
  ),
  start_date: Type.Optional(Nullable(Type.String({ description: 'First local day, YYYY-MM-DD.' }))),
  end_date: Type.Optional(Nullable(Type.String({ description: 'Last local day, included, YYYY-MM-DD.' }))),
};

const shared = {
  id: 21,
  status: 'confirmed',
  created_at: '2026-12-01T12:00:00.000Z',
  confirmed_at: '2026-12-01T12:03:00.000Z',
};

export const submissionExample = {
  ...shared,
  answers: { EMAIL: 'ana@example.com', FIRST_NAME: 'Ana' },
  consent_event_ids: [70],
  address: '192.0.2.7',
  user_agent: 'Mozilla/5.0',
  is_return: false,
  is_update: false,
  replaced_by: 34,
};

export const submissionDetailExample = {
  ...submissionExample,
  consents: [
    {
      consent_event_id: 70,
      term_id: 4,
      name: 'Newsletter',
      version: '1.0',
      status: 'confirmed',
      action: 'allow',
    },
  ],
  history: [
    {
      id: 34,
      form_id: 6,
      form_name: 'Your details',
      is_update: true,
      created_at: '2027-01-12T09:30:00.000Z',
      answers: { EMAIL: 'ana@example.com', FIRST_NAME: 'Ana María' },
    },
  ],
};

export const exportedExample = { ...shared, EMAIL: 'ana@example.com', FIRST_NAME: 'Ana', replaced_by: 34 };
export const exportedCsv = `"id","status","created_at","confirmed_at","EMAIL","FIRST_NAME","replaced_by"
21,"confirmed","2026-12-01T12:00:00Z","2026-12-01T12:03:00Z","ana@example.com","Ana",34
`;
