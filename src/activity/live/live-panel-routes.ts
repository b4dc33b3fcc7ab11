import { EventStream, operation, type Operation } from '../../base/http/operation.ts';
import { Problem } from '../../base/errors/problem.ts';
import type { LiveFeed } from './live-feed.ts';
import { LiveEvent, liveEventExample } from './live-schemas.ts';

export function livePanelRoutes({ live }: { live: LiveFeed }): Operation[] {
  return [
    operation({
      id: 'panel_live',
      method: 'GET',
      path: '/v1/private/live',
      tag: 'Activity',
      summary: 'Follow what happens to the mails of the instance',
      description:
        'Server-sent events. `ready` comes first, and says with `resumed` whether what was missed since the `Last-Event-ID` follows. `mail` is a mail that was accepted or an event of its log; its id is for `Last-Event-ID`. `more` counts what is not told one by one when much happens. After `reset` something may be missing: read the lists again. The stream ends with the session, with the membership and when the client reads too slowly; ask again.',
      access: { kind: 'user', role: 'viewer' },
      success: {
        status: 200,
        description: 'The stream; this is the data of a `mail`.',
        also: { 'text/event-stream': { schema: LiveEvent, example: liveEventExample } },
      },
      errors: ['rate_limit_exceeded'],
      handle: async (call) => {
        const { instance, actor } = call.caller;
        if (actor.kind !== 'user') throw new Problem('forbidden');
        const access = {
          session_id: actor.session_id,
          user_id: actor.id,
          instance_id: instance.id,
          address: call.address,
        };
        return new EventStream(async () => await live.open(access, call.header('last-event-id')));
      },
    }),
  ];
}
