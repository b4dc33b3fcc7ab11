import type { Database } from '../base/db/database.ts';
import { withinTime } from '../activity/index.ts';
import { audienceSql } from './audience.ts';
import { audienceLimits, type Audience } from './audience-schemas.ts';
import type { LeftOut } from './broadcast-schemas.ts';

export interface AudienceCount {
  count: number;
  left_out: LeftOut[];
  sample: string[];
}

/** How many are written to, some of them, and how many who decided about the purpose are left out for which reason. */
export async function countAudience(
  db: Database,
  instanceId: number,
  audience: Audience,
): Promise<AudienceCount> {
  const { sql, values } = audienceSql(instanceId, audience);
  return await withinTime(db, async (tx) => {
    const counted = await tx.query<{ reason: string | null; count: number }>(
      `select reason, count(*) as count from (${sql}) as a group by reason order by count desc, reason`,
      values,
    );
    const sample = await tx.query<{ contact: string }>(
      `select contact from (${sql}) as a where reason is null order by contact limit ${audienceLimits.sample}`,
      values,
    );
    return {
      count: counted.find(({ reason }) => reason === null)?.count ?? 0,
      left_out: counted.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }])),
      sample: sample.map(({ contact }) => contact),
    };
  });
}
