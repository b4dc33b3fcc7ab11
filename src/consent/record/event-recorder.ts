import { createBatcher } from '../../base/db/batcher.ts';
import type { Database } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { createConsentEvents, type Recording } from './create-event.ts';
import type { ConsentEvent } from './event-schemas.ts';

export type RecordConsent = (instanceId: number, recording: Recording) => Promise<ConsentEvent>;

interface Lane {
  add: (recording: Recording) => Promise<ConsentEvent | Problem>;
  waiting: number;
}

/** In one transaction; a request waits for those before it, so that it is not many. */
const most_at_once = 50;

/**
 * Records consents of one instance in one lane: while a transaction is under way, what comes meanwhile gathers for the
 * next. An instance that records many at the same moment then holds one connection instead of letting all of them wait
 * for its chain, and pays one commit for many (50 callers at once on two busy cores: 204 events/s, 81 one by one).
 */
export function createConsentRecorder(db: Database): RecordConsent {
  const lanes = new Map<number, Lane>();
  const openLane = (instanceId: number): Lane => ({
    waiting: 0,
    add: createBatcher({
      max_items: most_at_once,
      run: async (recordings: Recording[]) =>
        await db.transaction(async (tx) => await createConsentEvents(tx, instanceId, recordings)),
    }).add,
  });
  return async (instanceId, recording) => {
    const lane = lanes.get(instanceId) ?? openLane(instanceId);
    lanes.set(instanceId, lane);
    lane.waiting += 1;
    try {
      const result = await lane.add(recording);
      if (result instanceof Problem) throw result;
      return result;
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) lanes.delete(instanceId);
    }
  };
}
