import type { FastifyRequest } from 'fastify';
import { digestOf } from '../digest.ts';
import type { Violation } from '../errors/problem.ts';
import type { IdempotentCall } from './operation.ts';

/** Contract §16. */
const visibleAscii = /^[\x21-\x7e]{1,256}$/;

export const idempotencyKeySchema = {
  description:
    'Names this call, so that you can repeat it: another call with the same key and the same body within 24 hours does nothing and gets the first answer. Take a new random value, such as a UUID, for each new mail. 1 to 256 visible ASCII characters.',
  schema: { type: 'string', minLength: 1, maxLength: 256, pattern: '^[!-~]+$' },
  example: '0b4f6c1e-9d0a-4f57-8c6e-2b1f5a7d3c90',
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the inflated body, when the call has an Idempotency-Key. */
    body_digest: string | undefined;
  }
  interface FastifyContextConfig {
    is_repeatable?: boolean;
  }
}

/** Keeps the digest of a body while its bytes are there. */
export function digestBody(request: FastifyRequest, pieces: () => (string | Buffer)[]): void {
  if (request.headers['idempotency-key'] === undefined || !request.routeOptions.config.is_repeatable) return;
  request.body_digest = digestOf(...pieces());
}

export function readIdempotencyKey({ headers, body_digest }: FastifyRequest): {
  idempotent?: IdempotentCall;
  violations: Violation[];
} {
  const key = headers['idempotency-key'];
  if (key === undefined) return { violations: [] };
  if (typeof key !== 'string' || !isIdempotencyKey(key)) return { violations: [invalidKey('')] };
  return { idempotent: { key, body_digest: body_digest ?? '' }, violations: [] };
}

export function isIdempotencyKey(text: string): boolean {
  return visibleAscii.test(text);
}

/** Idempotency-Key is a header: the pointer is the root of the body. */
export function invalidKey(pointer: string): Violation {
  return {
    pointer,
    code: 'value_error.idempotency_key',
    message: 'An idempotency key should have 1 to 256 visible ASCII characters',
  };
}
