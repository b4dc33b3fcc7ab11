import { createGunzip } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../errors/problem.ts';
import { readMultipart } from './multipart.ts';
import { parseJson } from './parse-json.ts';
import { discardUnread } from './unread-body.ts';

/**
 * JSON bodies, plain or gzip, and forms where a route takes them. The limit of the route holds for the bytes transferred and for the bytes inflated, both
 * counted as they flow: a bomb is refused one chunk beyond the limit. Routes that take no body ignore what they get,
 * since many clients send a Content-Type with an empty POST.
 */
export function registerBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    refuseAnnounced(request);
    return readJson(await collect(request, decoded(request, payload)));
  });
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      refuseAnnounced(request);
      const file_bytes = request.routeOptions.config.max_file_bytes;
      if (file_bytes === undefined) throw new Problem('unsupported_media_type');
      const body = await collect(request, decoded(request, payload));
      return readMultipart(request.headers, body, { file_bytes });
    },
  );
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.routeOptions.config.ignores_body) {
      discardUnread(payload);
      return undefined;
    }
    refuseAnnounced(request);
    throw new Problem('unsupported_media_type');
  });
}

/** What announces itself as too large is not read at all; size is judged before type (contract §6). */
function refuseAnnounced(request: FastifyRequest): void {
  const limit = request.routeOptions.bodyLimit;
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
}

function decoded(request: FastifyRequest, payload: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return payload;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Problem('unsupported_media_type', { detail: 'The only Content-Encoding accepted is gzip.' });
  }
  const limit = request.routeOptions.bodyLimit;
  const gunzip = createGunzip();
  let transferred = 0;
  payload.on('data', (chunk: Buffer) => {
    transferred += chunk.length;
    if (transferred > limit) gunzip.destroy(tooLarge(limit));
  });
  payload.once('error', (error) => gunzip.destroy(error));
  return payload.pipe(gunzip);
}

async function collect(request: FastifyRequest, source: Readable): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
      return;
    }
    source.off('data', take);
    // Else the rest of a bomb would still be inflated; the request's own stream stays, the answer needs its socket.
    if (source !== request.raw) source.destroy();
    reject(tooLarge(limit));
  };
  source.on('data', take);
  // Most bodies come in one piece, which need not be copied.
  source.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)));
  source.on('error', (error) => reject(error instanceof Problem ? error : unreadable(error)));
  source.on('close', () => {
    // Every stream closes; making an error of each would cost more than reading the body.
    if (!source.readableEnded) reject(unreadable(undefined));
  });
  return await promise;
}

/** Broken gzip, or a client that went away in the middle: neither is worth more than its line in the log. */
function unreadable(cause: Error | undefined): Problem {
  const corrupt = (cause as NodeJS.ErrnoException)?.code?.startsWith('Z_');
  const detail = corrupt ? 'The body is not valid gzip.' : 'The body did not arrive completely.';
  return new Problem('bad_request', { detail, cause });
}

export function tooLarge(limit: number): Problem {
  return new Problem('request_too_large', {
    max_bytes: limit,
    detail: `The body is larger than ${limit} bytes.`,
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return parseJson(utf8.decode(body));
  } catch (error) {
    throw new Problem('bad_request', { detail: 'The body is not valid JSON in UTF-8.', cause: error });
  }
}
