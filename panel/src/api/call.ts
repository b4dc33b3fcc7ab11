import { routes } from './operations.ts';
import { ApiProblem } from './problem.ts';
import { send, type Input, type OperationId, type RequestOptions, type Result } from './request.ts';
import { accessToken, end, needsSecondFactor, refresh } from './session.ts';

export interface CallOptions extends RequestOptions {
  /** The instance that the call acts on. */
  slug?: string | undefined;
}

/** Calls an operation as the person who is signed in, or as nobody where it is open to all. */
export async function call<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: CallOptions = {},
): Promise<Result<Id>> {
  const response = await respond(id, input, options);
  if (response.status === 204) return undefined as Result<Id>;
  return (await response.json()) as Result<Id>;
}

/** The same, for what is no JSON: files and streams. */
export async function respond<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { slug, signal, headers: more }: CallOptions = {},
): Promise<Response> {
  if (routes[id][2] === 'open') return await send(id, input as object, { headers: more ?? {}, signal });
  const attempt = async (): Promise<Response> => {
    const token = await accessToken();
    if (token === undefined) throw new ApiProblem({ status: 401, code: 'unauthorized' });
    const headers: Record<string, string> = { ...more, authorization: `Bearer ${token}` };
    if (slug !== undefined) headers['x-instance-slug'] = slug;
    return await send(id, input as object, { headers, signal });
  };
  try {
    return await attempt();
  } catch (error) {
    // The instance demands a second factor since the session was read.
    if (error instanceof ApiProblem && error.code === 'second_factor_setup_required' && !needsSecondFactor())
      void refresh().catch(() => undefined);
    if (!isUnauthorized(error)) throw error;
    // The token may have ended early, with the session or with the role: once more, with a new one.
    if (await refresh()) return await attempt().catch(endingSession);
    return endingSession(error);
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}

function endingSession(error: unknown): never {
  if (isUnauthorized(error)) end();
  throw error;
}
