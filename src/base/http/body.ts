import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { Problem } from '../errors/problem.ts';

/** A stream that stands in for the request's own tells how many bytes of that one it has taken. */
type CountedStream = Readable & { receivedEncodedLength?: number };

/**
 * JSON bodies, plain or gzip. The limit of the route holds for the bytes transferred, counted here, and for the bytes
 * inflated, counted by the framework as they flow: a bomb is refused one chunk beyond the limit.
 */
export function registerBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', async (request, _reply, payload) => inflate(request, payload as Readable));
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJson(body),
  );
}

function inflate(request: FastifyRequest, payload: Readable): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return payload;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Problem('unsupported_media_type', { detail: 'The only Content-Encoding accepted is gzip.' });
  }
  const limit = request.routeOptions.bodyLimit;
  const gunzip: CountedStream = createGunzip();
  gunzip.receivedEncodedLength = 0;
  let inflated = 0;
  payload.on('data', (chunk: Buffer) => {
    gunzip.receivedEncodedLength = (gunzip.receivedEncodedLength ?? 0) + chunk.length;
    if (gunzip.receivedEncodedLength > limit) gunzip.destroy(tooLarge(limit));
  });
  // The framework refuses at the same chunk; without this the rest of a bomb would still be inflated.
  gunzip.on('data', (chunk: Buffer) => {
    inflated += chunk.length;
    if (inflated > limit) gunzip.destroy();
  });
  gunzip.pause();
  payload.on('error', (error) => gunzip.destroy(error));
  return payload.pipe(gunzip as unknown as NodeJS.WritableStream & Readable);
}

export function tooLarge(limit: number | undefined): Problem {
  if (limit === undefined) return new Problem('request_too_large');
  return new Problem('request_too_large', {
    max_bytes: limit,
    detail: `The body is larger than ${limit} bytes.`,
  });
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return secureJson.parse(text, null, { protoAction: 'remove', constructorAction: 'remove' });
  } catch (error) {
    throw new Problem('bad_request', { detail: 'The body is not valid JSON in UTF-8.', cause: error });
  }
}
