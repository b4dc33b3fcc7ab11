import type { ContactHashes } from '../base/contact-hash.ts';
import type { Job, JobContext } from '../base/jobs/job.ts';
import { forgetReturn, listExpiredReturns } from '../forms/index.ts';
import { findErased } from '../restrictions/index.ts';
import { erasePerson } from './erase-person.ts';
import { personOf } from './person.ts';

type ExpiredReturn = Awaited<ReturnType<typeof listExpiredReturns>>[number];

const atOnce = 100;

/**
 * A person who was erased did not confirm that they came back, or a stranger had filled in their address: what it led to is erased, the
 * submission last. One that has to wait for a delivery, or fails, keeps no other one waiting.
 */
export async function eraseReturns(
  context: JobContext,
  hashes: ContactHashes,
): Promise<{ done: number; left: number }> {
  const counts = { done: 0, left: 0 };
  const errors: unknown[] = [];
  for (
    let after: number | undefined = Number(context.position ?? 0);
    after !== undefined && !context.isStopping();
  ) {
    const page: ExpiredReturn[] = await listExpiredReturns(context.db, { after, limit: atOnce });
    for (const expired of page) {
      if (context.isStopping()) break;
      const is_done = await eraseReturn(context, hashes, expired).catch((error: unknown) => {
        errors.push(error);
        return false;
      });
      counts[is_done ? 'done' : 'left'] += 1;
      context.resumeAt?.(String(expired.id));
    }
    after = page.length < atOnce ? undefined : page.at(-1)?.id;
  }
  if (errors.length > 0) throw errors[0];
  return counts;
}

/** Of a person who came back otherwise in the meantime only this submission goes. */
async function eraseReturn(
  context: JobContext,
  hashes: ContactHashes,
  { id, instance_id, contacts }: ExpiredReturn,
): Promise<boolean> {
  const { db } = context;
  const hashed = contacts.map((contact) => ({ contact, hash: hashes.of(instance_id, contact) }));
  const gone = await findErased(
    db,
    instance_id,
    hashed.map(({ hash }) => hash),
  );
  const erased = hashed.filter(({ hash }) => gone.some((each) => each.hash.equals(hash)));
  if (erased.length > 0) {
    const person = await personOf(
      db,
      instance_id,
      erased.map(({ contact }) => contact),
    );
    if (!(await erasePerson(context, person))) return false;
  }
  await forgetReturn(db, id);
  return true;
}

export const returnsSchedule = { name: 'rights_returns', every_ms: 60_000 } as const;

export function eraseReturnsJob(hashes: ContactHashes): Job {
  return {
    ...returnsSchedule,
    destructive: true,
    async run(context) {
      const { done, left } = await eraseReturns(context, hashes);
      return `${done} unconfirmed returns erased, ${left} under way`;
    },
  };
}
