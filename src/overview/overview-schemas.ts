import { Type, type Static } from 'typebox';
import { StatsOverview, statsExample } from '../activity/index.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

const { totals, rates } = StatsOverview.properties;

export const Overview = Type.Object(
  {
    stats: StatsOverview,
    before: Type.Object(
      {
        start_date: Type.String({ format: 'date' }),
        end_date: Type.String({ format: 'date' }),
        totals,
        rates,
      },
      { description: 'The same number of days just before.' },
    ),
    sandbox_received: Type.Integer({
      description: 'Mails to the sandbox accepted in the range, tests left out.',
    }),
    latency: Type.Object(
      {
        p50_seconds: Nullable(Type.Number()),
        p95_seconds: Nullable(Type.Number()),
        mails: Type.Integer({
          description: 'How many delivered mails it is taken from: the newest of the range.',
        }),
      },
      { description: 'From reception to delivery; null where nothing was delivered.' },
    ),
  },
  { $id: 'Overview' },
);
export type Overview = Static<typeof Overview>;

export const overviewExample = {
  stats: statsExample,
  before: {
    start_date: '2026-11-30',
    end_date: '2026-11-30',
    totals: statsExample.totals,
    rates: statsExample.rates,
  },
  sandbox_received: 12,
  latency: { p50_seconds: 0.41, p95_seconds: 6.2, mails: 960 },
};

const Severity = Enum(['high', 'medium', 'low'] as const, {
  description: '`high`: mail or a legal deadline is at stake now; `medium`: soon; `low`: good to know.',
});

const Problem = Type.Object(
  {
    kind: Enum(['deferred', 'bounced', 'dropped', 'held']),
    reason: Nullable(Type.String({ description: 'As in the log.' })),
    severity: Severity,
    /** Recipients' domains; of held mail, the senders'. */
    domains: Type.Array(Type.String(), {
      description: 'Of the recipients; of held mail, of the senders. Those of most mail first, at most five.',
    }),
    domain_count: Type.Integer({ description: 'How many domains there are in all.' }),
    mails: Type.Integer(),
    text: Type.String({ description: 'In words: English, or Spanish by `Accept-Language`.' }),
    mail_id: Nullable(Type.String({ description: 'One of them.' })),
  },
  { $id: 'OverviewProblem' },
);
export type OverviewProblem = Static<typeof Problem>;

const status = Enum(['pending', 'verified', 'failed', 'revoked']);

export const Attention = Type.Object(
  {
    problems: Type.Array(Problem, {
      description:
        'Of the last 24 hours and of the queue, one for each cause: the most severe first, then those of most mail.',
    }),
    plan: Type.Object({
      limit: Nullable(Type.Integer({ description: 'Recipients in a month; null: no limit.' })),
      used: Type.Integer({ description: 'In the present month.' }),
      period: Type.String({
        format: 'date',
        description: 'First day of the month, in the zone of the instance.',
      }),
    }),
    domains: Type.Array(
      Type.Object({
        id: Id('Identifier of the domain.'),
        domain: Type.String(),
        mx_status: status,
        spf_status: status,
        dkim_status: status,
        dmarc_status: status,
      }),
      { description: 'Those that are not verified, at most 20.' },
    ),
    webhooks: Type.Array(
      Type.Object({
        id: Id('Identifier of the webhook.'),
        name: Type.String(),
        is_active: Type.Boolean(),
        consecutive_failures: Type.Integer(),
        last_status_code: Nullable(Type.Integer()),
        failing_since: Nullable(DateTime('Of the first of these failures.')),
        auto_paused_at: Nullable(DateTime('When it was paused because it failed.')),
      }),
      { description: 'Those that fail or were paused because of it, at most 20.' },
    ),
    rights: Type.Object(
      {
        overdue: Type.Integer({ description: 'Open after their day.' }),
        due_soon: Type.Integer({ description: 'To be answered within seven days.' }),
      },
      { description: 'Privacy requests, without names.' },
    ),
    checklist: Type.Object(
      {
        has_sent: Type.Boolean({ description: 'Any mail was accepted.' }),
        has_verified_domain: Type.Boolean(),
        has_sender: Type.Boolean({ description: 'Besides that of the sandbox.' }),
        has_api_key: Type.Boolean(),
      },
      { description: 'First steps of a new instance.' },
    ),
  },
  { $id: 'Attention' },
);
export type Attention = Static<typeof Attention>;

export const attentionExample = {
  problems: [
    {
      kind: 'deferred',
      reason: 'rate_limited',
      severity: 'medium',
      domains: ['gmail.com'],
      domain_count: 1,
      mails: 38,
      text: 'gmail.com defers 38 mails: the server limits the rate',
      mail_id: null,
    },
  ],
  plan: { limit: 10_000, used: 4_210, period: '2026-12-01' },
  domains: [],
  webhooks: [],
  rights: { overdue: 0, due_soon: 1 },
  checklist: { has_sent: true, has_verified_domain: true, has_sender: true, has_api_key: true },
};
