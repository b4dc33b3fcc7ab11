import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { broadcastStates } from './broadcast-schemas.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const number = Type.Integer({ minimum: 0 });
const ByReason = Type.Object({ reason: Type.String(), count: number });
const share = Type.Number();
/** The same, without saying it again. */
const BriefRates = Type.Object({
  delivery: share,
  bounce: share,
  open: share,
  click: share,
  unsubscribe: share,
  complaint: share,
});

const Rates = Type.Object(
  {
    delivery: rate('Delivered, of the accepted ones that were not dropped.'),
    bounce: rate('Bounced, of the same.'),
    open: rate('Opened by people, of the delivered ones.'),
    click: rate('A link was followed, of the delivered ones.'),
    unsubscribe: rate('Led to a withdrawal by their link, of the delivered ones.'),
    complaint: rate('Led to a complaint, of the delivered ones.'),
  },
  { $id: 'BroadcastRates' },
);

export const BroadcastReport = Type.Object(
  {
    broadcast_id: Id('Identifier of the broadcast.'),
    name: Type.String({ description: 'Its name.' }),
    state: Enum(broadcastStates, { description: 'Its state.' }),
    started_at: Nullable(DateTime('When its recipients were found.')),
    finished_at: Nullable(DateTime('When the last mail was accepted, or when it was cancelled.')),
    funnel: Type.Object({
      recipients: count('Everyone who was in the audience when it started.'),
      accepted: count('Their mails that were accepted for delivery.'),
      delivered: count('Taken by the server of the recipient.'),
      opened: count('Opened by people, not by machines.'),
      clicked: count('A link was followed by people.'),
    }),
    not_delivered: Type.Object({
      waiting: count('Accepted, and still to be delivered.'),
      dropped: count('Accepted and then not sent: the recipient withdrew meanwhile, or it was cancelled.'),
      bounced: count('Could not be delivered.'),
    }),
    unsubscribes: count('Withdrawals by the links of its mails.'),
    complaints: count('Complaints about its mails.'),
    rates: Rates,
    left_out: Type.Array(ByReason, { description: 'Recipients whose mail was not accepted.' }),
    not_in_audience: Type.Array(ByReason, {
      description: 'Others who had decided about the purpose when it started.',
    }),
    hours: Type.Array(
      Type.Object({ at: DateTime('Its beginning, in UTC.'), opens: number, clicks: number }),
      {
        description: 'Hours of the first 31 days in which people opened or clicked.',
      },
    ),
    links: Type.Array(Type.Object({ url: Type.String(), clicks: number, recipients: number }), {
      description: 'The links that people followed most, and how many of them.',
    }),
    providers: Type.Array(
      Type.Object({
        provider: Type.String(),
        accepted: number,
        delivered: number,
        deferred: number,
        bounced: number,
        opened: number,
      }),
      { description: 'The providers that most mails went to, by their main domain.' },
    ),
    previous: Type.Array(
      Type.Object({
        broadcast_id: Type.Integer(),
        name: Type.String(),
        started_at: DateTime('When.'),
        accepted: number,
        rates: BriefRates,
      }),
      { description: 'The last five that started before it, to compare with.' },
    ),
  },
  { $id: 'BroadcastReport' },
);
export type BroadcastReport = Static<typeof BroadcastReport>;

const ratesExample = {
  delivery: 0.991,
  bounce: 0.004,
  open: 0.31,
  click: 0.062,
  unsubscribe: 0.0021,
  complaint: 0.0001,
};

export const reportExample = {
  broadcast_id: 5,
  name: 'Spring news',
  state: 'sent',
  started_at: '2026-12-01T12:00:02.310Z',
  finished_at: '2026-12-01T12:31:40.120Z',
  funnel: { recipients: 600_000, accepted: 599_988, delivered: 594_510, opened: 184_298, clicked: 36_860 },
  not_delivered: { waiting: 3_010, dropped: 68, bounced: 2_400 },
  unsubscribes: 1_248,
  complaints: 59,
  rates: ratesExample,
  left_out: [{ reason: 'consent_revoked', count: 12 }],
  not_in_audience: [{ reason: 'consent_revoked', count: 41_210 }],
  hours: [{ at: '2026-12-01T12:00:00.000Z', opens: 40_112, clicks: 8_004 }],
  links: [{ url: 'https://example.com/spring', clicks: 30_110, recipients: 28_907 }],
  providers: [
    {
      provider: 'gmail.com',
      accepted: 311_002,
      delivered: 309_800,
      deferred: 640,
      bounced: 560,
      opened: 98_011,
    },
  ],
  previous: [
    {
      broadcast_id: 4,
      name: 'Winter news',
      started_at: '2026-09-01T12:00:01.020Z',
      accepted: 571_204,
      rates: ratesExample,
    },
  ],
};
