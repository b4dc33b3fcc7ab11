import type { Queryable } from '../base/db/database.ts';

/** The caller holds the lock of the domain. */
export async function nextPosition(tx: Queryable, domainId: number): Promise<number> {
  const [row] = await tx.query<{ next: number }>(
    'select coalesce(max(position), 0) + 1 as next from inbound_routes where domain_id = $1',
    [domainId],
  );
  return row?.next ?? 1;
}

/** Places a route; the others keep their order around it. */
export async function moveRoute(
  tx: Queryable,
  domainId: number,
  { id, position }: { id: number; position: number },
): Promise<void> {
  const others = (await idsInOrder(tx, domainId)).filter((each) => each !== id);
  await writeOrder(tx, domainId, others.toSpliced(position - 1, 0, id));
}

async function idsInOrder(tx: Queryable, domainId: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    'select id from inbound_routes where domain_id = $1 order by position, id',
    [domainId],
  );
  return rows.map(({ id }) => id);
}

/** Numbers the routes from 1, in this order or in the one that they have. */
export async function writeOrder(tx: Queryable, domainId: number, ids?: number[]): Promise<void> {
  await tx.query(
    `update inbound_routes r set position = o.position, updated_at = now()
     from unnest($2::bigint[]) with ordinality as o (id, position)
     where r.domain_id = $1 and r.id = o.id and r.position <> o.position`,
    [domainId, ids ?? (await idsInOrder(tx, domainId))],
  );
}
