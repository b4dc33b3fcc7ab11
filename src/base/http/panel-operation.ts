import type { Role } from './access.ts';
import type { Operation } from './operation.ts';

/** The same operations for people in the panel: below /v1/private, with a user's role in place of a key's scope. */
export function forPanel(operations: Operation[], role: Role = 'viewer'): Operation[] {
  const below = (path: string): string => path.replace(/^\/v1\//, '/v1/private/');
  return operations.map((operation) => ({
    ...operation,
    id: `panel_${operation.id}`,
    path: below(operation.path),
    access: { kind: 'user', role },
    ...(operation.location === undefined ? {} : { location: below(operation.location) }),
  }));
}
