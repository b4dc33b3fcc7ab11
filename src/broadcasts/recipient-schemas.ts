import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

export const BroadcastRecipient = Type.Object(
  {
    contact: Type.String({ description: 'The address.' }),
    purpose: Type.String({ description: 'Code of the purpose that was agreed to.' }),
    consent_event_id: Nullable(
      Id('The consent that allowed it; `GET /v1/consent-events/{id}` has its evidence.'),
    ),
    consent_rule_id: Id('The rule of that consent.'),
    term_id: Nullable(Id('The term that was agreed to.')),
    term_version: Nullable(Type.String({ description: 'The version of its text.' })),
    agreed_at: Nullable(DateTime('When the person agreed.')),
    method: Nullable(Enum(['single_opt_in', 'double_opt_in'] as const, { description: 'How.' })),
    source: Nullable(Type.String({ description: 'Where: `form`, `api`, `import` or `system`.' })),
    mail_id: Nullable(
      Type.String({ description: 'The mail; null before it is accepted, and when it was left out.' }),
    ),
    status: Nullable(
      Type.Integer({ description: 'Status of the mail (1 to 7), as in the list of mails.', examples: [3] }),
    ),
    reason: Nullable(
      Type.String({
        description: 'Why there is no mail, or why it was dropped.',
        examples: ['consent_revoked'],
      }),
    ),
    sent_at: Nullable(DateTime('When it was delivered.')),
    opens: Nullable(Type.Integer({ description: 'How often people opened it.' })),
    clicks: Nullable(Type.Integer({ description: 'How often people followed its links.' })),
  },
  { $id: 'BroadcastRecipient' },
);
export type BroadcastRecipient = Static<typeof BroadcastRecipient>;

export const recipientExample = {
  contact: 'ana@example.com',
  purpose: 'newsletter',
  consent_event_id: 1204,
  consent_rule_id: 1311,
  term_id: 3,
  term_version: '1.1',
  agreed_at: '2026-05-04T14:02:11.120Z',
  method: 'double_opt_in',
  source: 'form',
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  status: 3,
  reason: null,
  sent_at: '2026-12-01T12:00:09.870Z',
  opens: 2,
  clicks: 1,
};

export const recipientFilters = {
  contact: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 254,
        description: 'Only this address, in any spelling.',
        examples: ['ana@example.com'],
      }),
    ),
  ),
};
