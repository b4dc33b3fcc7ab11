import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyFor, type EncodedBodies } from './encoded-body.ts';

/** A JSON result that stays the same while the process runs: compressed once, and not sent to who has it already. */
export class StaticDocument {
  readonly bodies: EncodedBodies;
  /** Weak: the encodings share it (RFC 9110 §8.8.3). */
  readonly etag: string;

  constructor(bodies: EncodedBodies, etag: string) {
    this.bodies = bodies;
    this.etag = etag;
  }
}

export async function createStaticDocument(value: object): Promise<StaticDocument> {
  const identity = Buffer.from(JSON.stringify(value));
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return new StaticDocument({ identity, gzip: await promisify(gzip)(identity) }, `W/"${digest}"`);
}

export function sendStaticDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bodies, etag }: StaticDocument,
): FastifyReply {
  reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
  if (isCurrent(headers['if-none-match'], etag)) return reply.code(304).send();
  const { encoding, body } = bodyFor(bodies, headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(body);
}

/** RFC 9110 §13.1.2, by weak comparison. */
function isCurrent(condition: string | undefined, etag: string): boolean {
  if (condition?.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return condition?.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque) ?? false;
}
