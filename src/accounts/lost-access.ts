import type { Queryable } from '../base/db/database.ts';
import { addressAllowed, hasSecondFactor, parseRange } from '../instances/index.ts';

/** What a user keeps using after signing in. */
export interface UsedAccess {
  session_id: string;
  user_id: number;
  instance_id: number;
  /** Where they came from. */
  address: string;
}

/** Which of these, by their place in the list, would not be let in any more: session, membership or address. */
export async function findLostAccess(db: Queryable, used: UsedAccess[], now: Date): Promise<number[]> {
  const rows = await db.query<{ ranges: string[] | null }>(
    `select case when s.id is not null and m.user_id is not null
       and not (i.requires_second_factor and not ${hasSecondFactor('u')}) then i.ip_allowlist::text[] end as ranges
     from unnest($1::uuid[], $2::bigint[], $3::bigint[]) with ordinality as used (session_id, user_id, instance_id, place)
     left join sessions s on s.id = used.session_id and s.user_id = used.user_id and s.revoked_at is null and s.expires_at > $4
     left join memberships m on m.user_id = used.user_id and m.instance_id = used.instance_id
     left join instances i on i.id = used.instance_id
     left join users u on u.id = used.user_id
     order by used.place`,
    [
      used.map(({ session_id }) => session_id),
      used.map(({ user_id }) => user_id),
      used.map(({ instance_id }) => instance_id),
      now,
    ],
  );
  return rows.flatMap(({ ranges }, place) => {
    const address = used[place]?.address ?? '';
    return ranges && addressAllowed(address, ranges.map(parseRange)) ? [] : [place];
  });
}
