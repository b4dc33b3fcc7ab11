import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Collection, Person } from '../base/personal-data.ts';
import { personOf } from './person.ts';
import { rooms } from './personal-data.ts';
import type { HeldData } from './request-schemas.ts';
import { lockRequest } from './requests.ts';

/** Past it, only that there are more is said: an archive counts exactly. */
export const maxCounted = 10_000;

/** What an archive of the person would contain, counted. */
export async function dataHeld(db: Queryable, instanceId: number, id: number): Promise<HeldData> {
  const request = await lockRequest(db, instanceId, id);
  if (request.status === 'unverified') throw new Problem('rights_request_unverified');
  if (request.contacts.length === 0) return { data: [] };
  const person = await personOf(db, instanceId, request.contacts);
  const data: HeldData['data'] = [];
  for (const { collect } of rooms) {
    for (const collection of collect) data.push(await counted(db, person, collection));
  }
  return { data };
}

async function counted(
  db: Queryable,
  person: Person,
  { name, about, rows }: Collection,
): Promise<HeldData['data'][number]> {
  let count = 0;
  for await (const page of rows(db, person)) {
    count += page.length;
    if (count >= maxCounted) return { name, about, rows: maxCounted, has_more: true };
  }
  return { name, about, rows: count, has_more: false };
}
