import type { Job, JobContext } from '../base/jobs/job.ts';
import { type Contact, sealEvidence } from '../consent/index.ts';
import { erasePerson, type ErasureResult } from './erase-person.ts';
import { erased_words } from './personal-data.ts';
import { personOf } from './person.ts';
import { recordStep } from './record-step.ts';

interface Running {
  id: number;
  instance_id: number;
  kind: 'erasure';
  contacts: Contact[];
  contact_hashes: Buffer[];
}

const at_once = 100;

/**
 * Carries out erasures that were decided, and closes those that found nothing left. One that fails, or waits for a delivery for
 * days, keeps no other one waiting; the first error is thrown at the end.
 */
export async function runErasures(context: JobContext): Promise<{ done: number; left: number }> {
  const counts = { done: 0, left: 0 };
  const errors: unknown[] = [];
  for await (const request of runningErasures(context)) {
    if (context.isStopping()) break;
    const is_done = await runErasure(context, request).catch((error: unknown) => {
      errors.push(error);
      return false;
    });
    counts[is_done ? 'done' : 'left'] += 1;
  }
  if (errors.length > 0) throw errors[0];
  return counts;
}

async function* runningErasures({ db }: JobContext): AsyncGenerator<Running> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const page: Running[] = await db.query<Running & Record<string, unknown>>(
      `select id, instance_id, kind, contacts, contact_hashes from rights_requests
       where status = 'open' and started_at is not null and id > $1 order by id limit ${at_once}`,
      [last],
    );
    yield* page;
    last = page.length < at_once ? undefined : page.at(-1)?.id;
  }
}

async function runErasure(context: JobContext, request: Running): Promise<boolean> {
  const { db, now } = context;
  const { id, instance_id } = request;
  const person = await personOf(db, instance_id, request.contacts);
  await db.transaction(async (tx) => await sealEvidence(tx, person, { request_id: id, at: now }));
  const result = await erasePerson(context, person);
  await addProgress(context, id, result);
  if (!result.is_complete) return false;
  await db.transaction(async (tx) => {
    const [closed] = await tx.query<{ progress: Record<string, number> }>(
      `update rights_requests set status = 'fulfilled', closed_at = $2, ${erased_words}
       where id = $1 and status = 'open' returning progress`,
      [id, now],
    );
    if (!closed) return;
    const actor = { kind: 'system' } as const;
    await recordStep(tx, instance_id, {
      request,
      step: 'fulfilled',
      actor,
      at: now,
      details: closed.progress,
    });
  });
  return true;
}

/** Over all runs, for the receipt. A batch that was committed by a run that was killed is not counted. */
async function addProgress(
  { db }: JobContext,
  id: number,
  { mails, rows, dropped }: ErasureResult,
): Promise<void> {
  const counts = { mails, rows, dropped };
  const sums = Object.keys(counts).map(
    (name) => `'${name}', coalesce((progress ->> '${name}')::bigint, 0) + ($2::jsonb ->> '${name}')::bigint`,
  );
  await db.query(
    `update rights_requests set progress = jsonb_build_object(${sums.join(', ')}) where id = $1`,
    [id, JSON.stringify(counts)],
  );
}

export const erasuresJob: Job = {
  name: 'rights_erasures',
  every_ms: 10_000,
  destructive: true,
  async run(context) {
    const { done, left } = await runErasures(context);
    return `${done} erasures done, ${left} under way`;
  },
};
