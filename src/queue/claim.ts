import type { Queryable, Statement } from '../base/db/database.ts';

export interface ClaimedMail {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  destination: string;
  /** This one included. */
  attempt: number;
  lease: string;
}

export interface ClaimRequest {
  lease: string;
  /** How many at most, over all lanes. */
  count: number;
  /** How many of one instance to one destination. */
  per_lane: number;
  lease_seconds: number;
  /** Destinations that are not to be tried now. */
  excluded: string[];
  now: Date;
}

interface Lane {
  instance_id: number;
  destination: string;
}

/** Lanes looked at in one claim; the next one goes on behind the last. */
const lanes_per_claim = 500;

/**
 * Walks from lane to lane through the index, each step one probe, and takes a few mails from each: the cost grows with
 * the lanes, not with the mails in them, and a lane with a million mails gets no more than its neighbour.
 */
const claim: Statement = {
  name: 'queue.claim',
  text: `
    with recursive lane as (
      (select instance_id, destination from queue
       where priority = $1 and held_since is null and (instance_id, destination) > ($2, $3)
       order by instance_id, destination limit 1)
      union all
      select next.instance_id, next.destination from lane
      cross join lateral (
        select q.instance_id, q.destination from queue q
        where q.priority = $1 and q.held_since is null
          and (q.instance_id, q.destination) > (lane.instance_id, lane.destination)
        order by q.instance_id, q.destination limit 1
      ) as next
    ), walked as (
      select * from lane limit $4
    ), picked as (
      select due.mail_id from walked
      cross join lateral (
        select q.mail_id from queue q
        where q.priority = $1 and q.held_since is null and q.instance_id = walked.instance_id
          and q.destination = walked.destination and q.due_at <= $9
        order by q.due_at limit $5 for update skip locked
      ) as due
      where walked.destination <> all ($6::text[])
      limit $7
    ), taken as (
      update queue q set lease = $8, due_at = $9::timestamptz + $10 * interval '1 second', attempts = q.attempts + 1
      from picked where q.mail_id = picked.mail_id
      returning q.mail_id, q.msg_id, q.instance_id, q.destination, q.attempts
    )
    select (select count(*) from walked) as lanes,
      (select jsonb_build_object('instance_id', instance_id, 'destination', destination)
         from walked order by instance_id desc, destination desc limit 1) as last_lane,
      (select coalesce(jsonb_agg(taken), '[]') from taken) as mails`,
};

type Row = {
  lanes: number;
  last_lane: Lane | null;
  mails: (Omit<ClaimedMail, 'attempt' | 'lease'> & { attempts: number })[];
};

export type Claim = (request: ClaimRequest) => Promise<ClaimedMail[]>;

function lastOf(mails: ClaimedMail[]): Lane {
  const isLater = (a: Lane, b: Lane): boolean =>
    a.instance_id > b.instance_id || (a.instance_id === b.instance_id && a.destination > b.destination);
  return mails.reduce<Lane>((last, mail) => (isLater(mail, last) ? mail : last), {
    instance_id: 0,
    destination: '',
  });
}

/** Takes mail to be tried now, transactional before broadcast, from all lanes in turn. */
export function createClaim(db: Queryable): Claim {
  const start: Lane = { instance_id: 0, destination: '' };
  const cursors: [Lane, Lane] = [start, start];

  async function claimPriority(priority: 0 | 1, request: ClaimRequest): Promise<ClaimedMail[]> {
    const from = cursors[priority];
    const [row] = await db.query<Row>(claim, [
      priority,
      from.instance_id,
      from.destination,
      lanes_per_claim,
      request.per_lane,
      request.excluded,
      request.count,
      request.lease,
      request.now,
      request.lease_seconds,
    ]);
    const mails = (row?.mails ?? []).map(({ attempts, ...mail }) => ({
      ...mail,
      attempt: attempts,
      lease: request.lease,
    }));
    if (mails.length >= request.count) {
      // Full before the walk was over: the next one goes on behind the last lane that gave something.
      cursors[priority] = lastOf(mails);
      return mails;
    }
    // Fewer lanes than asked for: the end was reached, and the next walk begins at the first again.
    cursors[priority] = row?.last_lane && row.lanes === lanes_per_claim ? row.last_lane : start;
    if (from === start) return mails;
    // The walk began in the middle: what stands before it gets its turn in the same claim.
    cursors[priority] = start;
    return [
      ...mails,
      ...(await claimPriority(priority, { ...request, count: request.count - mails.length })),
    ];
  }

  return async (request) => {
    const urgent = await claimPriority(0, request);
    if (urgent.length >= request.count) return urgent;
    return [...urgent, ...(await claimPriority(1, { ...request, count: request.count - urgent.length }))];
  };
}
