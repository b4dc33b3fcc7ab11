import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomNode, Stage } from './stage.ts';

/** What keeps the service from being at rest, by name; empty when nothing is under way or due. */
const unrest = `
  select 'mail that is due or under way' as what, count(*)::int as count from queue
    where lease is not null or (due_at < now() + interval '1 second' and held_since is null)
  union all select 'mail held', count(*)::int from queue where held_since is not null
  union all select 'webhook deliveries that are due', count(*)::int from webhook_deliveries d
    where state = 'pending' and (due_at < now() + interval '1 second' or leased_until > now())
      and exists (select from webhooks w where w.id = d.webhook_id and w.is_active)
  union all select 'events before the cursor of webhooks', count(*)::int from events e, webhook_cursor c
    where (e.txid, e.event_id) > (c.txid, c.event_id) and e.event = any ($1)
  union all select 'erasures', count(*)::int from rights_requests r where status = 'open' and started_at is not null
    and not exists (select from queue q join mails m on m.msg_id = q.msg_id
      where lower(m.recipient) = any (select lower(c ->> 'contact') from jsonb_array_elements(r.contacts) as c))`;
const forWebhooks = [
  'sent',
  'bounced',
  'dropped',
  'opened',
  'clicked',
  'unsubscribed',
  'resubscribed',
  'complained',
];
const lookEveryMs = 500;

/** However slow the machine is. */
const longest_ms = 300_000;

/**
 * Until nothing is under way or due. Gives what still is once nothing has happened for so long: neither did anything
 * arrive, nor was there less of it.
 */
export async function becomeQuiet({ database, history }: Stage, within_ms: number): Promise<string[]> {
  const began = Date.now();
  let happenedAt = began;
  let before = '';
  for (;;) {
    const rows = await database
      .query<{ what: string; count: number }>(unrest, [forWebhooks])
      .catch((error: Error) => [{ what: `the database: ${error.message}`, count: 1 }]);
    const left = rows.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`);
    const seen = JSON.stringify([left, history.mails.length, history.hooks.length]);
    if (seen !== before) happenedAt = Date.now();
    before = seen;
    const now = Date.now();
    if (left.length === 0 || now - happenedAt > within_ms || now - began > longest_ms) return left;
    await sleep(lookEveryMs);
  }
}

/** Nodes that are not ready again in time, now that nothing is broken any more. */
export async function becomeReady({ nodes }: Stage, within_ms: number): Promise<string[]> {
  const until = Date.now() + within_ms;
  const problemsOf = async (node: RandomNode): Promise<string[]> => {
    for (;;) {
      const { status, text } = await node
        .readiness()
        .catch((error: Error) => ({ status: 0, text: error.message }));
      if (status === 200) return [];
      if (Date.now() > until) return [`${node.name} is not ready: ${status} ${text.slice(0, 300)}`];
      await sleep(lookEveryMs);
    }
  };
  return (await Promise.all(nodes.map(problemsOf))).flat();
}
