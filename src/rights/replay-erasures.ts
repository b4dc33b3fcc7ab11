import type { ContactHashes } from '../base/contact-hash.ts';
import type { Contact } from '../base/contacts.ts';
import type { Job, JobContext } from '../base/jobs/job.ts';
import { erasuresReplayed, erasuresToReplay } from '../restrictions/index.ts';
import { contactsHeld } from './contacts-held.ts';
import { erasePerson } from './erase-person.ts';
import { personOf } from './person.ts';

/** Through what an instance holds, for the contacts that were erased. It goes on in the next run where this one ends. */
interface Walk {
  pages: AsyncGenerator<Contact[]>;
  /** The request of each hash. */
  requests: ReadonlyMap<string, number>;
  isComplete: boolean;
}

/** By instance; those that were served last come last. */
export type Walks = Map<number, Walk>;

const sliceMs = 10_000;
const runMs = 10 * 60_000;

/** Erases again whom a backup brought back, each instance in turn. Returns how many contacts were found. */
export async function replayErasures(
  context: JobContext,
  hashes: ContactHashes,
  walks: Walks = new Map(),
): Promise<number> {
  const began = performance.now();
  const errors: unknown[] = [];
  let found = 0;
  await openWalks(context, walks);
  const inTurn = [...walks];
  for (const [instanceId, walk] of inTurn) {
    if (context.isStopping() || performance.now() - began > runMs) break;
    walks.delete(instanceId);
    const replay = { context, hashes, instanceId };
    try {
      const { count, isOver } = await walkOn(replay, walk);
      found += count;
      if (!isOver) walks.set(instanceId, walk);
      else if (walk.isComplete) await erasuresReplayed(context.db, instanceId, hashesOf(walk));
    } catch (error) {
      // From the beginning in the next run; it keeps no other instance waiting.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return found;
}

const hashesOf = ({ requests }: Walk): Buffer[] =>
  [...requests.keys()].map((hash) => Buffer.from(hash, 'hex'));

/** One for each instance that has erasures to be replayed; from the beginning where more have come. */
async function openWalks({ db }: JobContext, walks: Walks): Promise<void> {
  const byInstance = Map.groupBy(await erasuresToReplay(db), ({ instance_id }) => instance_id);
  for (const instanceId of walks.keys()) if (!byInstance.has(instanceId)) walks.delete(instanceId);
  for (const [instanceId, erasures] of byInstance) {
    const requests = new Map(erasures.map(({ hash, request_id }) => [hash.toString('hex'), request_id]));
    if (walks.get(instanceId)?.requests.size === requests.size) continue;
    walks.set(instanceId, { pages: contactsHeld(db, instanceId), requests, isComplete: true });
  }
}

interface Replay {
  context: JobContext;
  hashes: ContactHashes;
  instanceId: number;
}

async function walkOn(
  { context, hashes, instanceId }: Replay,
  walk: Walk,
): Promise<{ count: number; isOver: boolean }> {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < sliceMs && !context.isStopping()) {
    const page = await walk.pages.next();
    if (page.done === true) return { count, isOver: true };
    for (const contact of page.value) {
      const request_id = walk.requests.get(hashes.of(instanceId, contact).toString('hex'));
      if (request_id === undefined) continue;
      count += 1;
      const person = await personOf(context.db, instanceId, [contact]);
      if (!(await erasePerson(context, person, request_id))) walk.isComplete = false;
    }
  }
  return { count, isOver: false };
}

export const replaySchedule = { name: 'rights_replays', every_ms: 60_000 } as const;

export function replayErasuresJob(hashes: ContactHashes): Job {
  const walks: Walks = new Map();
  return {
    ...replaySchedule,
    destructive: true,
    // Its walks are in memory, and would begin anew on another node.
    budget_ms: 2 * runMs,
    async run(context) {
      return `${await replayErasures(context, hashes, walks)} contacts erased again`;
    },
  };
}
