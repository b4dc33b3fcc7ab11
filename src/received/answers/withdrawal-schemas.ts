import { Type, type Static } from 'typebox';
import { DateTime, Enum, Nullable } from '../../base/http/schemas.ts';

export const withdrawalStates = ['offered', 'recorded', 'dismissed'] as const;

export const Withdrawal = Type.Object(
  {
    received_mail_id: Type.String({ description: 'The answer.' }),
    mail_id: Type.String({ description: 'The mail that it answers.' }),
    recipient: Type.String({ description: 'Who wants no more mail.', examples: ['ana@example.org'] }),
    words: Type.String({ description: 'What was recognised, in plain letters.', examples: ['baja'] }),
    language: Enum(['es', 'en', 'pt', 'de'], { description: 'In which language.' }),
    is_authentic: Type.Boolean({ description: 'Whether DMARC passed for the domain in From.' }),
    state: Enum(withdrawalStates, {
      description:
        '`offered`: a person decides. `recorded`: withdrawn, with the answer as evidence. `dismissed`: left.',
    }),
    created_at: DateTime('When the answer was read.'),
    decided_at: Nullable(DateTime('When it was decided.')),
    decided_by: Nullable(
      Type.String({ description: 'The user or key that decided; null for the setting of the instance.' }),
    ),
  },
  { $id: 'ReplyWithdrawal' },
);
export type Withdrawal = Static<typeof Withdrawal>;

export const withdrawalExample = {
  received_mail_id: '019a84f5-1000-7000-8000-2f6d1c3b5a7a',
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  recipient: 'ana@example.org',
  words: 'baja',
  language: 'es' as const,
  is_authentic: true,
  state: 'offered' as const,
  created_at: '2026-12-01T12:00:00.000Z',
  decided_at: null,
  decided_by: null,
};
