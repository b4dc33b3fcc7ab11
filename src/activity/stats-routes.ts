import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { readBreakdown } from './stats-breakdown.ts';
import {
  breakdownExample,
  StatsBreakdown,
  statsExample,
  StatsOverview,
  StatsQuery,
} from './stats-schemas.ts';
import { readStats } from './stats.ts';

export function statsRoutes({ db, clock }: { db: Queryable; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'get_stats_overview',
      method: 'GET',
      path: '/v1/stats/overview',
      tag: 'Statistics',
      summary: 'Read statistics',
      description:
        'Totals, rates and a series by hour or local day. They cover mails **received** in the interval, with their present status and events: an open today of a mail of last week counts in last week, so rates stay between 0 and 1 and past days still change. Opens and clicks by machines are left out.',
      access: { kind: 'api_key', scope: 'mail:read' },
      query: StatsQuery,
      success: {
        status: 200,
        description: 'The statistics.',
        schema: StatsOverview,
        example: statsExample,
      },
      errors: [],
      handle: async ({ caller: { instance }, query }) =>
        await readStats(db, { query, now: clock.now(), instance }),
    }),
    operation({
      id: 'get_stats_breakdown',
      method: 'GET',
      path: '/v1/stats/breakdown',
      tag: 'Statistics',
      summary: 'Read statistics by hour of the day and by provider',
      description:
        'When mail is accepted and read over a day, and to which providers it goes. `interval` does not matter here.',
      access: { kind: 'api_key', scope: 'mail:read' },
      query: StatsQuery,
      success: {
        status: 200,
        description: 'The breakdown.',
        schema: StatsBreakdown,
        example: breakdownExample,
      },
      errors: [],
      handle: async ({ caller: { instance }, query }) =>
        await readBreakdown(db, { query, now: clock.now(), instance }),
    }),
  ];
}
