import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors/problem.ts';
import type { Authenticate, Credentials, Demand } from './access.ts';

/**
 * A refused credential is answered this long after its request arrived, whatever the reason. The look-up of a key
 * takes well under a millisecond when cached and a few at worst when not, so the time tells the two apart no more.
 */
export const unauthorizedAfterMs = 25;

/** A hook that finds out who calls, before a byte of the body is read. */
export function authenticated(
  authenticate: Authenticate,
  demand: Demand,
  credentials: (request: FastifyRequest) => Credentials = credentialsOf,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    try {
      request.caller = await authenticate(credentials(request), demand);
    } catch (error) {
      await untilRefusal(request, error);
      throw error;
    }
  };
}

function credentialsOf({ headers, ip }: FastifyRequest): Credentials {
  const slug = headers['x-instance-slug'];
  return {
    authorization: headers.authorization,
    instance_slug: typeof slug === 'string' ? slug : undefined,
    address: ip,
  };
}

/** Waits until a refused credential may be answered. */
async function untilRefusal({ arrived_at }: FastifyRequest, error: unknown): Promise<void> {
  if (!(error instanceof Problem) || error.code !== 'unauthorized') return;
  const left = arrived_at + unauthorizedAfterMs - performance.now();
  if (left > 0) await delay(left);
}
