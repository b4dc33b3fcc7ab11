import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { createLoop, type Loop } from '../base/engine/loop.ts';
import type { Log } from '../base/log.ts';
import { fanOut, skipAhead } from './fan-out.ts';
import { settleRestoredEvents } from './restored-events.ts';

interface FanOutOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
}

/** Events taken at once: as many as make this many deliveries, more or less. */
const deliveries_wanted = 2_000;
const min_events = 50;
const max_events = 2_000;
/** Between two looks, so that a busy time is taken in pages and not in single events. */
const min_wait_ms = 10;
/** Until the transaction that holds events back may have ended, for which there is no notification. */
const held_back_wait_ms = 20;
const idle_wait_ms = 1_000;
const skip_every_ms = 10_000;

/** Follows the events and makes deliveries of them. */
export function createFanOutLoop({ db, notifications, clock, log }: FanOutOptions): Loop {
  let page = 500;
  let skipped = 0;
  let isSettled = false;

  async function step(): Promise<number> {
    if (!isSettled) await settleRestoredEvents(db);
    isSettled = true;
    const { events, deliveries, is_held_back } = await fanOut(db, { max_events: page, now: clock.now() });
    const isFull = events === page;
    if (events > 0) page = pageFor(page, deliveries / events);
    if (performance.now() - skipped > skip_every_ms) {
      skipped = performance.now();
      await skipAhead(db);
    }
    if (isFull) return 0;
    await delay(min_wait_ms);
    return is_held_back ? held_back_wait_ms : idle_wait_ms;
  }

  const loop = createLoop({ name: 'reading events for webhooks', log, step });
  return {
    ...loop,
    start() {
      notifications.on('chasqui_events', loop.wake);
      notifications.onGap(loop.wake);
      loop.start();
    },
  };
}

function pageFor(page: number, deliveriesPerEvent: number): number {
  const wanted = Math.ceil(deliveries_wanted / Math.max(deliveriesPerEvent, 1));
  return Math.max(min_events, Math.min(max_events, wanted, page * 2));
}
