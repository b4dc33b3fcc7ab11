import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage } from '../base/http/pagination.ts';
import { Bounce, bounceExample, BouncesQuery } from './bounce-schemas.ts';
import { selectBounces } from './bounces.ts';
import { Click, clickExample, EngagementQuery, Open, openExample } from './engagement-schemas.ts';
import { clicked, opened, selectEngagements, type EngagementKind } from './engagements.ts';
import { listEvents, listGroups } from './list-events.ts';
import { hasFewEngagements } from './has-few-engagements.ts';

const access = { kind: 'api_key', scope: 'mail:read' } as const;
const grouped =
  'Newest first: by the time of the event, or with `group_by` by the reception of the mail or message. Machine visits (privacy proxies, scanners) are left out unless `include_machine=true`. Counts cover the date range and equal the sum of the rows. `total_items` is null with `group_by`.';

export function eventRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  const engagements = (
    kind: EngagementKind,
    about: Pick<Operation, 'id' | 'path' | 'summary' | 'description'>,
    page: Operation['success'],
  ): Operation =>
    operation({
      ...about,
      method: 'GET',
      tag: 'Activity',
      access,
      query: EngagementQuery,
      success: { ...page, description: 'One page.' },
      errors: ['search_timeout'],
      handle: async ({ caller: { instance }, query }) => {
        const listing = { query, now: clock.now(), instance };
        if ((query.group_by ?? 'none') === 'none') {
          return await listEvents(db, selectEngagements(kind, listing), query);
        }
        const starts_from_events = await hasFewEngagements(db, kind, listing);
        return await listGroups(db, selectEngagements(kind, { ...listing, starts_from_events }), query);
      },
    });
  return [
    engagements(
      opened,
      {
        id: 'list_opens',
        path: '/v1/activities/opens',
        summary: 'List opens',
        description: `Opens of mails. ${grouped}`,
      },
      onePage('opens', Open, openExample),
    ),
    engagements(
      clicked,
      {
        id: 'list_clicks',
        path: '/v1/activities/clicks',
        summary: 'List clicks',
        description: `Clicks on links of mails. ${grouped}`,
      },
      onePage('clicks', Click, clickExample),
    ),
    operation({
      id: 'list_bounces',
      method: 'GET',
      path: '/v1/activities/bounced',
      tag: 'Activity',
      summary: 'List bounces',
      description: 'Mail that could not be delivered, newest failure first, with the reply of the server.',
      access,
      query: BouncesQuery,
      success: onePage('bounces', Bounce, bounceExample),
      errors: ['search_timeout'],
      handle: async ({ caller: { instance }, query }) =>
        await listEvents<Bounce>(db, selectBounces({ query, now: clock.now(), instance }), query),
    }),
  ];
}
