import { Type, type Static, type TProperties } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

const filter = (description: string, maxLength = 255) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));

export const StatsQuery = Type.Object({
  start_date: filter('First local date, `YYYY-MM-DD`; three months before the last one when left out.'),
  end_date: filter('Last local date, inclusive; today when left out.'),
  tz: filter('IANA zone of the dates and of the series; that of the instance by default.'),
  sender_id: Type.Optional(Nullable(Id('Identifier of a sender.'))),
  domain_id: Type.Optional(Nullable(Id('Of the senders.'))),
  sandbox: Type.Optional(
    Nullable(
      Type.Boolean({
        description:
          'Only mail to the sandbox, or only other mail. Mail accepted before Chasqui 0.3 counts as other mail.',
      }),
    ),
  ),
  category: filter('A category, as it was given or as its slug.'),
  custom_group_code: filter('Your label of a group.', 254),
  interval: Type.Optional(
    Nullable(
      Enum(['hour', 'day'] as const, {
        description: 'Of the series: `day` (the default), for at most 732 days, or `hour`, for at most 31.',
      }),
    ),
  ),
});
export type StatsQuery = Static<typeof StatsQuery>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const totals = {
  received: count(
    'Mails accepted in the interval, without those in `test_mode`. All other totals but `test` are about these.',
  ),
  sent: count('Of them, those delivered.'),
  dropped: count('Of them, those not written to: suppressed, without consent, over a limit.'),
  deferred: count('Of them, those that will be tried again.'),
  bounced: count('Of them, those that could not be delivered.'),
  onhold: count('Of them, those held back.'),
  test: count('Mails accepted in the interval that were sent in `test_mode`; they count as nothing else.'),
  opens: count('How often they were opened by people, until now.'),
  unique_opens: count('How many of them were opened.'),
  clicks: count('How often their links were followed by people, until now.'),
  unique_clicks: count('In how many of them a link was followed.'),
  unsubscribes: count('How many of them led to an unsubscribe.'),
  complaints: count('How many of them led to a complaint.'),
} satisfies TProperties;

const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const StatsOverview = Type.Object(
  {
    start_date: Type.String({ format: 'date' }),
    end_date: Type.String({ format: 'date' }),
    tz: Type.String({ description: 'The zone that was used.' }),
    totals: Type.Object(totals, { $id: 'StatsTotals' }),
    rates: Type.Object(
      {
        delivery: rate('sent / (received − dropped)'),
        bounce: rate('bounced / (received − dropped)'),
        open: rate('unique_opens / sent'),
        click: rate('unique_clicks / sent'),
        complaint: rate('complaints / sent'),
        unsubscribe: rate('unsubscribes / sent'),
      },
      { description: '0 where there is nothing to divide by.' },
    ),
    series: Type.Array(
      Type.Object(
        { at: DateTime('When the hour or the local day begins.'), ...totals },
        { $id: 'StatsPoint' },
      ),
      { description: 'Oldest first, with those in which nothing was received.' },
    ),
  },
  { $id: 'StatsOverview' },
);
export type StatsOverview = Static<typeof StatsOverview>;

const exampleTotals = {
  received: 1000,
  sent: 960,
  dropped: 20,
  deferred: 0,
  bounced: 20,
  onhold: 0,
  test: 1,
  opens: 700,
  unique_opens: 480,
  clicks: 150,
  unique_clicks: 120,
  unsubscribes: 3,
  complaints: 1,
};

export const statsExample = {
  start_date: '2026-12-01',
  end_date: '2026-12-01',
  tz: 'America/Santiago',
  totals: exampleTotals,
  rates: {
    delivery: 0.9796,
    bounce: 0.0204,
    open: 0.5,
    click: 0.125,
    complaint: 0.001,
    unsubscribe: 0.0031,
  },
  series: [{ at: '2026-12-01T03:00:00.000Z', ...exampleTotals }],
};

const { received, sent, deferred, bounced, unique_opens, unique_clicks } = totals;

export const StatsBreakdown = Type.Object(
  {
    hours: Type.Array(
      Type.Object({
        hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Of the local day.' }),
        received,
        sent,
        unique_opens,
        unique_clicks,
      }),
      { description: 'All 24, of mails **received** in that hour on any day of the range.' },
    ),
    providers: Type.Array(
      Type.Object({
        provider: Type.String({
          description:
            'Domain of the recipients; those of Gmail, Outlook, Yahoo, iCloud and Proton are one each.',
        }),
        received,
        sent,
        deferred,
        bounced,
        unique_opens,
      }),
      { description: 'Those of most mail first, at most ten.' },
    ),
    sampled: Type.Integer({
      description:
        'How many mails the providers were counted from: the newest 10,000 of the range, and of them those that match.',
    }),
  },
  { $id: 'StatsBreakdown' },
);
export type StatsBreakdown = Static<typeof StatsBreakdown>;

export const breakdownExample = {
  hours: [{ hour: 9, received: 120, sent: 118, unique_opens: 60, unique_clicks: 14 }],
  providers: [
    { provider: 'gmail.com', received: 610, sent: 602, deferred: 3, bounced: 5, unique_opens: 290 },
  ],
  sampled: 1000,
};
