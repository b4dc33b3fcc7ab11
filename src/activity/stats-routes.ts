import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { statsExample, StatsOverview, StatsQuery } from './stats-schemas.ts';
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
        'Totals, rates and a series by hour or local day. They are about the mails **received** in the interval: in which state those are now, and what came of them until now. An open today of a mail of last week counts in last week, so that rates stay between 0 and 1 and a day goes on filling after it has passed. Opens and clicks are those of people; what mail scanners and privacy proxies do is left out.',
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
  ];
}
