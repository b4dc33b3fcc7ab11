import type { Access } from './access.ts';
import type { Operation } from './operation.ts';

/**
 * The private face of what is published: the same operations, handlers included, for people in the panel. They are below
 * /v1/private, with the role of a member in place of the scope of a key. What is published is written once; only what no
 * program needs is an operation of the panel (`own`), which wins over a face at the same place.
 */
export function privateFaces(published: readonly Operation[], own: readonly Operation[]): Operation[] {
  const taken = new Set(own.map(placeOf));
  return published
    .flatMap((operation) => {
      const access = privateAccess(operation);
      return access === undefined ? [] : [faceOf(operation, access)];
    })
    .filter((face) => !taken.has(placeOf(face)));
}

/** What an API key can read, a viewer can. What changes something names the role that may do so, or has no private face. */
function privateAccess({ access, method }: Operation): Access | undefined {
  if (access.kind === 'operator') return access;
  if (access.kind !== 'api_key') return undefined;
  const role = access.role ?? (method === 'GET' ? 'viewer' : undefined);
  return role && { kind: 'user', role };
}

function faceOf(operation: Operation, access: Access): Operation {
  const { id, path, location } = operation;
  return {
    ...operation,
    id: `panel_${id}`,
    path: below(path),
    access,
    ...(location === undefined ? {} : { location: below(location) }),
  };
}

function placeOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function below(path: string): string {
  return path.replace(/^\/v1\//, '/v1/private/');
}
