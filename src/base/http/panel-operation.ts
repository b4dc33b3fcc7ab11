import type { Role } from './access.ts';
import type { Operation } from './operation.ts';

/** The same operations for people in the panel: below /v1/private, with a user's role in place of a key's scope. */
export function forPanel(operations: Operation[], role: Role = 'viewer'): Operation[] {
  return operations.map((operation) => ({
    ...operation,
    id: `panel_${operation.id}`,
    path: below(operation.path),
    access: { kind: 'user', role },
    ...(operation.location === undefined ? {} : { location: below(operation.location) }),
  }));
}

/**
 * What an API key can read, a viewer can: every public read for which the panel has none of its own. One that is added to
 * the public API is in the panel by that.
 */
export function panelReads(published: Operation[], own: Operation[]): Operation[] {
  const taken = new Set(own.filter(({ method }) => method === 'GET').map(({ path }) => path));
  return forPanel(
    published.filter(
      ({ method, access, path }) => method === 'GET' && access.kind === 'api_key' && !taken.has(below(path)),
    ),
  );
}

function below(path: string): string {
  return path.replace(/^\/v1\//, '/v1/private/');
}
