import { StatsQuery } from '../activity/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, Reply, type Operation } from '../base/http/operation.ts';
import { preferredLanguage } from '../base/http/preferred-language.ts';
import { Attention, attentionExample, Overview, overviewExample } from './overview-schemas.ts';
import { readAttention } from './read-attention.ts';
import { readOverview } from './read-overview.ts';

const tag = 'Statistics';
const access = { kind: 'user', role: 'viewer' } as const;

/** The first page of the panel: figures, and what needs attention. */
export function overviewPanelRoutes({ db, clock }: { db: Queryable; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'panel_get_overview',
      method: 'GET',
      path: '/v1/private/overview',
      tag,
      summary: 'Read the figures of a range and of the one before',
      description: 'Statistics with the same number of days before them, and how long deliveries took.',
      access,
      query: StatsQuery,
      success: { status: 200, description: 'The figures.', schema: Overview, example: overviewExample },
      errors: [],
      handle: async ({ caller: { instance }, query }) =>
        await readOverview(db, { query, now: clock.now(), instance }),
    }),
    operation({
      id: 'panel_get_attention',
      method: 'GET',
      path: '/v1/private/overview/attention',
      tag,
      summary: 'Read what needs attention',
      description:
        'Problems of the last day in words, one for each cause, the use of the plan, domains that are not verified, webhooks that fail, privacy requests that are due, and the first steps of a new instance.',
      access,
      success: {
        status: 200,
        description: 'What needs attention.',
        schema: Attention,
        example: attentionExample,
      },
      errors: [],
      handle: async (call) => {
        const { instance } = call.caller;
        const language = preferredLanguage(call.header('accept-language'));
        const attention = await readAttention(db, { instance, now: clock.now(), language });
        return new Reply(attention, { 'content-language': language, vary: 'accept-language' });
      },
    }),
  ];
}
