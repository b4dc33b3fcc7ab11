import type { Queryable } from '../base/db/database.ts';
import type { Operation } from '../base/http/operation.ts';
import { fieldRoutes } from '../forms/field-routes.ts';

/** Every operation of the service, room by room. */
export function routes(context: { db: Queryable }): Operation[] {
  return [...fieldRoutes(context)];
}
