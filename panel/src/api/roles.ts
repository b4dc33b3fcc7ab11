import { routes } from './operations.ts';
import type { OperationId } from './request.ts';

/** From most to least; each may do what those after it may. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Whether somebody with this role may call the operation: what a person cannot do is not offered. */
export function allows(role: Role, id: OperationId): boolean {
  const needed = (roles as readonly string[]).indexOf(routes[id][2]);
  // What is about the account, or open, asks for no role.
  return needed === -1 || roles.indexOf(role) <= needed;
}
