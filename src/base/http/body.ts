import { createGunzip } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../errors/problem.ts';
import { default_json_limits, JsonMeter, type JsonLimits } from './json-meter.ts';
import { readMultipart } from './multipart.ts';
import { parseJson } from './parse-json.ts';
import { discardUnread } from './unread-body.ts';

/** What a body may be, beside its size. */
export interface BodyLimits {
  json: JsonLimits;
  /** How many times its transferred bytes a gzip body may inflate to. */
  gzip_ratio: number;
}

const default_limits: BodyLimits = { json: default_json_limits, gzip_ratio: 100 };
/** A gzip body may inflate to this much whatever it was made of: little can be done with it. */
const inflated_freely = 1024 * 1024;

/**
 * JSON bodies, plain or gzip, and forms where a route takes them. The limit of the route holds for the bytes transferred and for the bytes inflated, both
 * counted as they flow: a bomb is refused one chunk beyond the limit. Routes that take no body ignore what they get,
 * since many clients send a Content-Type with an empty POST.
 */
export function registerBodyParsing(app: FastifyInstance, limits: BodyLimits = default_limits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    refuseAnnounced(request);
    const meter = new JsonMeter(limits.json);
    return readJson(await collect(request, decoded(request, payload, limits), meter));
  });
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      refuseAnnounced(request);
      const file_bytes = request.routeOptions.config.max_file_bytes;
      if (file_bytes === undefined) throw new Problem('unsupported_media_type');
      const body = await collect(request, decoded(request, payload, limits));
      return readMultipart(request.headers, body, { file_bytes, json: limits.json });
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

function decoded(request: FastifyRequest, payload: IncomingMessage, { gzip_ratio }: BodyLimits): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return payload;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Problem('unsupported_media_type', { detail: 'The only Content-Encoding accepted is gzip.' });
  }
  const limit = request.routeOptions.bodyLimit;
  const gunzip = createGunzip();
  let transferred = 0;
  let inflated = 0;
  payload.on('data', (chunk: Buffer) => {
    transferred += chunk.length;
    if (transferred > limit) gunzip.destroy(tooLarge(limit));
  });
  gunzip.on('data', (chunk: Buffer) => {
    inflated += chunk.length;
    if (inflated > Math.max(inflated_freely, transferred * gzip_ratio)) gunzip.destroy(bomb(gzip_ratio));
  });
  payload.once('error', (error) => gunzip.destroy(error));
  return payload.pipe(gunzip);
}

async function collect(request: FastifyRequest, source: Readable, meter?: JsonMeter): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  let counted = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    chunks.push(chunk);
    let refusal: Problem | undefined = size > limit ? tooLarge(limit) : undefined;
    if (meter && size > meter.free_bytes) {
      for (; !refusal && counted < chunks.length; counted += 1) {
        refusal = meter.read(chunks[counted] as Buffer);
      }
    }
    if (!refusal) return;
    source.off('data', take);
    [chunks.length, size] = [0, 0];
    // Else the rest of a bomb would still be inflated; the request's own stream stays, the answer needs its socket.
    if (source !== request.raw) source.destroy();
    reject(refusal);
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

function bomb(ratio: number): Problem {
  return new Problem('request_too_large', {
    detail: `The body inflates to more than ${ratio} times its compressed size.`,
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
