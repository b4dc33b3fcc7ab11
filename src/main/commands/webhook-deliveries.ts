import { listDeliveries } from '../../webhooks/deliveries.ts';
import { deliveryStates, Replay, type WebhookDelivery } from '../../webhooks/delivery-schemas.ts';
import { eventTypes } from '../../webhooks/event-types.ts';
import { replayDelivery, replayRange } from '../../webhooks/replay.ts';
import { getWebhook } from '../../webhooks/webhooks.ts';
import {
  choice,
  idOf,
  instance,
  list,
  optional,
  required,
  type Command,
  type CommandInput,
} from '../command.ts';
import { table } from '../table.ts';
import { requireValid } from './require-valid.ts';
import { operator, withInstance } from './with-store.ts';

function describe(deliveries: WebhookDelivery[]): string {
  return table(deliveries, {
    id: ({ id }) => id,
    event_at: ({ event_at }) => event_at,
    type: ({ type }) => type,
    state: ({ state }) => state,
    attempts: ({ attempts }) => attempts,
    answer: ({ last_status_code, last_error }) => last_status_code ?? last_error,
    next: ({ next_attempt_at }) => next_attempt_at,
  });
}

export const webhookDeliveries: Command = {
  name: 'webhook deliveries',
  arguments: '--instance S ID [--state X] [--type T]',
  summary: 'Shows the last hundred deliveries of a webhook.',
  options: {
    instance,
    state: { type: 'string', about: `Only ${deliveryStates.join(', ')}.` },
    type: { type: 'string', about: 'Only of this event type, such as mail.bounced.' },
  },
  example: 'chasqui webhook deliveries --instance acme 4 --state failed',
  async run(input) {
    const id = idOf(input);
    const filters = {
      state: choice(input, 'state', deliveryStates),
      type: choice(input, 'type', eventTypes),
      range: { from: new Date(0), until: new Date(8.64e15) },
    };
    return await withInstance(input, async (db, { id: instanceId }) => {
      await getWebhook(db, instanceId, { id, now: new Date() });
      const { data } = await listDeliveries(db, id, { filters, page: { page_size: 100 } });
      return { text: data.length > 0 ? describe(data) : 'There are no deliveries.', json: { data } };
    });
  },
};

function readReplay(input: CommandInput): Replay {
  const listed = (name: string): string[] | null => {
    const words = list(optional(input, name));
    return words.length > 0 ? words : null;
  };
  const replay = {
    from: required(input, 'from'),
    until: optional(input, 'until') ?? new Date().toISOString(),
    types: listed('types'),
    states: listed('states'),
  };
  requireValid(Replay, replay);
  return replay as Replay;
}

export const webhookReplay: Command = {
  name: 'webhook replay',
  arguments: '--instance S ID [--delivery D] [--from T --until T --types a,b --states a,b]',
  summary: 'Delivers one delivery, or all of a range of time, once more; what was delivered included.',
  options: {
    instance,
    delivery: { type: 'string', about: 'One delivery, by its id.' },
    from: { type: 'string', about: 'Events from this moment on, such as 2026-12-01T12:00:00Z.' },
    until: { type: 'string', about: 'Events before this moment (default now).' },
    types: { type: 'string', about: 'Only these event types (default all).' },
    states: { type: 'string', about: 'Only delivered, failed or discarded ones (default all).' },
  },
  example: 'chasqui webhook replay --instance acme 4 --from 2026-12-01T12:00:00Z --types mail.bounced',
  async run(input) {
    const webhook_id = idOf(input);
    const one = optional(input, 'delivery');
    const replay = one === undefined ? readReplay(input) : undefined;
    const act = { webhook_id, actor: operator, now: new Date() };
    const replayed = await withInstance(input, async (db, { id: instanceId }) => {
      if (!replay) {
        const id = idOf({ ...input, words: [one ?? ''] });
        await db.transaction(async (tx) => await replayDelivery(tx, instanceId, { ...act, id }));
        return 1;
      }
      let sum = 0;
      let after: number | null = null;
      for (;;) {
        const wanted: Replay = { ...replay, after };
        const part = await db.transaction(
          async (tx) => await replayRange(tx, instanceId, { ...act, replay: wanted }),
        );
        sum += part.replayed;
        if (!part.has_more) return sum;
        after = part.after;
      }
    });
    return { text: `${replayed} deliveries are due now.`, json: { replayed } };
  },
};
