import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { createLoop, type Loop } from '../base/engine/loop.ts';
import type { Log } from '../base/log.ts';
import { fanOut, type FannedOut, skipAhead } from './fan-out.ts';
import { renumberRestoredEvents } from './restored-events.ts';

interface FanOutOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
}

/** The page size adapts, so that a page makes about this many deliveries. */
const deliveriesPerPage = 2_000;
const minEvents = 50;
const max_events = 2_000;
/** Minimum interval, so that under load events are read in pages and not one by one. */
const minWaitMs = 10;
/** Poll interval while an open transaction holds events back: its end causes no notification. */
const heldBackWaitMs = 20;
/** After this time the transactions that cannot add events are told from the others, for a while. */
const heldBackAtMostMs = 200;
const tellWritersMs = 5_000;
const idleWaitMs = 1_000;
const skipEveryMs = 10_000;

/** Follows the event log and creates a delivery per event and webhook. */
export function createFanOutLoop({ db, notifications, clock, log }: FanOutOptions): Loop {
  let page = 500;
  let skipped = 0;
  let isRenumbered = false;
  let heldBackSince: number | undefined;
  let tellWritersUntil = -Infinity;

  async function read(): Promise<FannedOut> {
    const started = performance.now();
    const behind = started < tellWritersUntil ? 'writers' : 'any';
    const found = await fanOut(db, { max_events: page, now: clock.now(), behind });
    if (!found.is_held_back || found.events > 0) heldBackSince = undefined;
    else heldBackSince ??= started;
    const isLong = heldBackSince !== undefined && started - heldBackSince > heldBackAtMostMs;
    if (isLong && behind === 'any') tellWritersUntil = started + tellWritersMs;
    return found;
  }

  async function step(): Promise<number> {
    if (!isRenumbered) await renumberRestoredEvents(db);
    isRenumbered = true;
    const { events, deliveries, is_held_back } = await read();
    const isFull = events === page;
    if (events > 0) page = pageFor(page, deliveries / events);
    if (performance.now() - skipped > skipEveryMs) {
      skipped = performance.now();
      await skipAhead(db);
    }
    if (isFull) return 0;
    await delay(minWaitMs);
    return is_held_back ? heldBackWaitMs : idleWaitMs;
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
  const wanted = Math.ceil(deliveriesPerPage / Math.max(deliveriesPerEvent, 1));
  return Math.max(minEvents, Math.min(max_events, wanted, page * 2));
}
