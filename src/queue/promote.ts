import type { Queryable, Statement } from '../base/db/database.ts';
import { skipScan } from '../base/db/skip-scan.ts';

/**
 * Asked first: PostgreSQL plans `promote` anew at each execution while a million mails wait, since the plan for any time looks
 * expensive beside one for a time before all of them. That took half of the processor time of an idle claim; this takes
 * three pages of the index.
 */
const findDue: Statement = {
  name: 'queue.find_due',
  text: 'select from queue where ready_priority is null and held_since is null and due_at <= $1 order by due_at limit 1',
};

/** Makes mail claimable once it is due: a retry, or mail whose lease expired. */
const promote: Statement = {
  name: 'queue.promote',
  text: `
    update queue q set ready_priority = q.priority,
      crashes = case when q.lease is null then q.crashes else greatest(q.crashes, 1) end
    from (
      select mail_id from queue where ready_priority is null and held_since is null and due_at <= $1
      order by due_at limit $2 for update skip locked
    ) as due
    where q.mail_id = due.mail_id
    returning 1`,
};

/**
 * Scheduled mail of one instance can fall due in one second, a million at a time; `promote` would reach the retries and the
 * scheduled mail of others only after it. While there is more than one statement promotes, this one gives every instance
 * and priority its turn: a skip scan from where the last one ended.
 */
const promoteShares: Statement = {
  name: 'queue.promote_shares',
  text: `
    with recursive ${skipScan({
      as: 'owner',
      table: 'queue',
      columns: ['instance_id', 'priority'],
      where: 'ready_priority is null and held_since is null and lease is null',
      after: ['$2', '$3'],
    })}, scanned as materialized (
      select instance_id, priority from owner limit $4
    ), due as materialized (
      select share.mail_id from scanned
      cross join lateral (
        select q.mail_id from queue q
        where q.ready_priority is null and q.held_since is null and q.lease is null
          and q.instance_id = scanned.instance_id and q.priority = scanned.priority and q.due_at <= $1
        order by q.due_at limit $5 for update skip locked
      ) as share
    ), promoted as (
      update queue q set ready_priority = q.priority from due where q.mail_id = due.mail_id returning 1
    )
    select instance_id, priority, count(*) over () = $4 as has_more from scanned
    order by instance_id desc, priority desc limit 1`,
};
/** Instances and priorities per statement, and how many mails of each. */
const shares = { owners: 50, mails: 40 };

/**
 * Within an instance, the mail of one destination can be due first by the hundred thousand. This statement gives each lane its turn: of
 * the first due mails of a lane those that are not ready become it. A lane where they are ready needs none.
 */
const promoteLanes: Statement = {
  name: 'queue.promote_lanes',
  text: `
    with recursive ${skipScan({
      as: 'lane',
      table: 'queue',
      columns: ['priority', 'instance_id', 'destination'],
      where: 'held_since is null',
      after: ['$2', '$3', '$4'],
    })}, scanned as materialized (
      select priority, instance_id, destination from lane limit $5
    ), first_due as materialized (
      select head.mail_id from scanned
      cross join lateral (
        select q.mail_id, q.ready_priority from queue q
        where q.held_since is null and q.priority = scanned.priority and q.instance_id = scanned.instance_id
          and q.destination = scanned.destination and q.due_at <= $1
        order by q.due_at limit $6
      ) as head
      where head.ready_priority is null
    ), due as materialized (
      select q.mail_id from queue q
      where q.mail_id in (select mail_id from first_due)
        and q.ready_priority is null and q.held_since is null and q.due_at <= $1
      for update skip locked
    ), promoted as (
      update queue q set ready_priority = q.priority,
        crashes = case when q.lease is null then q.crashes else greatest(q.crashes, 1) end
      from due where q.mail_id = due.mail_id returning 1
    )
    select priority, instance_id, destination, count(*) over () = $5 as has_more from scanned
    order by priority desc, instance_id desc, destination desc limit 1`,
};
/** Lanes per statement, and how many mails of each. */
const lanes = { lanes: 500, mails: 10 };

/** Per statement. Large enough that one lane does not fill it, which would leave the claim nothing to choose from. */
const maxPromoted = 1_000;

interface Share {
  instance_id: number;
  priority: number;
}
const firstShare: Share = { instance_id: 0, priority: 0 };

interface Lane extends Share {
  destination: string;
}
const firstLane: Lane = { ...firstShare, priority: -1, destination: '' };

/** Whether mail was promoted. */
export type Promote = (now: Date) => Promise<boolean>;

export function createPromotion(db: Queryable): Promote {
  let next: Share = firstShare;
  let nextLane: Lane = firstLane;

  async function promoteShare(now: Date): Promise<void> {
    const { instance_id, priority } = next;
    const values = [now, instance_id, priority, shares.owners, shares.mails];
    const [last] = await db.query<Share & { has_more: boolean }>(promoteShares, values);
    next = last?.has_more ? last : firstShare;
  }

  async function promoteLane(now: Date): Promise<void> {
    const { priority, instance_id, destination } = nextLane;
    const values = [now, priority, instance_id, destination, lanes.lanes, lanes.mails];
    const [last] = await db.query<Lane & { has_more: boolean }>(promoteLanes, values);
    nextLane = last?.has_more ? last : firstLane;
  }

  return async (now) => {
    if ((await db.query(findDue, [now])).length === 0) return false;
    const { length } = await db.query(promote, [now, maxPromoted]);
    if (length === maxPromoted) {
      await promoteShare(now);
      await promoteLane(now);
    }
    return length > 0;
  };
}
