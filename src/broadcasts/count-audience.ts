import type { Database } from '../base/db/database.ts';
import { withinTime } from '../activity/index.ts';
import { audienceSql } from './audience.ts';
import { audienceLimits, type Audience } from './audience-schemas.ts';
import type { LeftOut } from './broadcast-schemas.ts';
import { leftOutOf } from './broadcasts.ts';

export interface AudienceCount {
  count: number;
  left_out: LeftOut[];
  sample: string[];
}

/** For the largest audience on a busy machine; a million contacts take a second or two. */
const countWithinMs = 20_000;

/** How many are written to, some of them, and how many who decided about the purpose are left out for which reason. */
export async function countAudience(
  db: Database,
  instanceId: number,
  audience: Audience,
): Promise<AudienceCount> {
  const { sql, values, reasons } = audienceSql(instanceId, audience);
  const counts = reasons.map((reason) => `count(*) filter (where reason = '${reason}') as ${reason}`);
  return await withinTime(
    db,
    async (tx) => {
      // Without the offset every filter would judge each contact again.
      const [counted] = await tx.query<Record<string, number>>(
        `select count(*) filter (where reason is null) as count, ${counts.join(', ')} from (${sql} offset 0) as judged`,
        values,
      );
      // In the order in which they are found: a sort would read all of them.
      const sample = await tx.query<{ contact: string }>(
        `select contact from (${sql}) as judged where reason is null limit ${audienceLimits.sample}`,
        values,
      );
      const { count = 0, ...left_out } = counted ?? {};
      return {
        count,
        left_out: leftOutOf(left_out).filter((each) => each.count > 0),
        sample: sample.map(({ contact }) => contact),
      };
    },
    countWithinMs,
  );
}
