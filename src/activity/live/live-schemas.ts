import { Type, type Static } from 'typebox';
import { DateTime, Nullable } from '../../base/http/schemas.ts';
import { mailExample, MailRecord } from '../mail-schemas.ts';

/** The data of one `mail` event of the stream. */
export const LiveEvent = Type.Object(
  {
    id: Type.String({ description: 'Of the event; of the mail where `event` is `received`.' }),
    event: Type.String({
      description: '`received`, or the event of the log: `sent`, `bounced`, `opened`, …',
    }),
    at: DateTime('When it happened.'),
    reason: Nullable(Type.String({ description: 'Of a drop, a deferral or a bounce.' })),
    mail: MailRecord,
  },
  { $id: 'LiveEvent' },
);
export type LiveEvent = Static<typeof LiveEvent>;

export const liveEventExample = {
  id: '019a84f2-7d90-7000-8000-2f6d1c3b5a7b',
  event: 'sent',
  at: '2026-12-01T12:00:00.400Z',
  reason: null,
  mail: mailExample,
};
