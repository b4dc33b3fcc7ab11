import { createGunzip } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ByteHold, Shortage } from '../../protocol/byte-budget.ts';
import { Problem } from '../errors/problem.ts';
import { isLarge, yieldForLargeWork } from '../yield-large-work.ts';
import { BodyPieces } from './body-pieces.ts';
import { JsonMeter, uncountedBytes, type JsonLimits } from './json-meter.ts';

/** A body on its way in. */
interface Intake {
  hold: ByteHold;
  limit: number;
  /** By Content-Length; 0 for a body that comes in chunks. */
  announced: number;
  is_zipped: boolean;
  /** Of a zipped body, which is counted beside what it inflates to. */
  transferred: number;
  gzip_ratio: number;
  pieces: BodyPieces;
}

interface BodyRules {
  /** How many times its transferred bytes a gzip body may inflate to. */
  gzip_ratio: number;
  /** Set for JSON: what it is made of is counted. */
  json?: JsonLimits;
}

/** A gzip body may inflate to this much whatever it holds: too little to do harm. */
const inflatedFreely = 1024 * 1024;

/**
 * The whole body, on the process's budget until its request is over. The limit of the route holds for the bytes
 * transferred and for the bytes inflated, both counted as they flow: a bomb is refused one chunk beyond the limit.
 */
export async function collectBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  { gzip_ratio, json }: BodyRules,
): Promise<Buffer> {
  const announced = refuseAnnounced(request);
  // The client left while it was being authenticated: no event of the stream is to come.
  if (payload.destroyed) throw unreadable(undefined);
  const is_zipped = hasGzip(request);
  const { caller, ip, server } = request;
  const { instance } = caller ?? {};
  const hold = instance ? server.body_memory.ofInstance(instance.id) : server.body_memory.ofSource(ip);
  // Before a byte of it is read.
  const shortage = hold.growTo(announced);
  if (shortage !== undefined) throw outOfMemory(shortage);
  request.body_hold = hold;
  const intake: Intake = {
    hold,
    limit: request.routeOptions.bodyLimit,
    announced,
    is_zipped,
    transferred: 0,
    gzip_ratio,
    pieces: new BodyPieces(is_zipped ? 0 : announced),
  };
  const source = is_zipped ? gunzipped(payload, intake) : payload;
  const mayBeLong = is_zipped || announced === 0 || announced > uncountedBytes;
  const body = await collect(source, intake, json && mayBeLong ? metering(json) : undefined);
  if (isLarge(body.length)) await yieldForLargeWork();
  return body;
}

/** What announces itself as too large is not read at all; size is validated before type (contract §6). */
export function refuseAnnounced({ headers, routeOptions }: FastifyRequest): number {
  const announced = Number(headers['content-length'] ?? 0);
  const limit = routeOptions.bodyLimit;
  if (announced > limit) throw tooLarge(limit);
  return announced;
}

function hasGzip({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return false;
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  throw new Problem('unsupported_media_type', { detail: 'The only Content-Encoding accepted is gzip.' });
}

function gunzipped(payload: IncomingMessage, intake: Intake): Readable {
  const gunzip = createGunzip();
  payload.on('data', (chunk: Buffer) => {
    intake.transferred += chunk.length;
    if (intake.transferred > intake.limit) gunzip.destroy(tooLarge(intake.limit));
  });
  payload.once('error', (error) => gunzip.destroy(error));
  return payload.pipe(gunzip);
}

type Count = (chunk: Buffer) => Problem | undefined;

/** Short texts are not counted: nothing in them can be too many. */
function metering(limits: JsonLimits): Count {
  const uncounted: Buffer[] = [];
  let size = 0;
  let meter: JsonMeter | undefined;
  return (chunk) => {
    if (meter) return meter.read(chunk);
    uncounted.push(chunk);
    size += chunk.length;
    if (size <= uncountedBytes) return undefined;
    meter = new JsonMeter(limits);
    for (const each of uncounted.splice(0)) {
      const refusal = meter.read(each);
      if (refusal) return refusal;
    }
    return undefined;
  };
}

async function collect(source: Readable, intake: Intake, count?: Count): Promise<Buffer> {
  const { hold, is_zipped, pieces } = intake;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const take = (chunk: Buffer): void => {
    const refusal = refusalOf(intake, pieces.size + chunk.length) ?? count?.(chunk);
    if (!refusal) {
      pieces.add(chunk);
      return;
    }
    source.off('data', take);
    // Else the rest of a bomb would still be inflated; the request's own stream stays, the answer needs its socket.
    if (is_zipped) source.destroy();
    pieces.drop();
    hold.release();
    reject(refusal);
  };
  source.on('data', take);
  source.on('end', () => resolve(pieces.take()));
  source.on('error', (error) => reject(error instanceof Problem ? error : unreadable(error)));
  source.on('close', () => {
    // Every stream closes; making an error of each would cost more than reading the body.
    if (!source.readableEnded) reject(unreadable(undefined));
  });
  return await promise;
}

/** Whether a body of this size, so far, is too much. */
function refusalOf(
  { hold, limit, announced, is_zipped, transferred, gzip_ratio }: Intake,
  size: number,
): Problem | undefined {
  if (size > limit) return tooLarge(limit);
  if (is_zipped && size > Math.max(inflatedFreely, transferred * gzip_ratio)) return bomb(gzip_ratio);
  const shortage = hold.growTo(is_zipped ? Math.max(announced, transferred) + size : size);
  return shortage && outOfMemory(shortage);
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

/** A large body is done with in a second or two. */
function outOfMemory(shortage: Shortage): Problem {
  const after = 'Try again after the time in Retry-After.';
  return shortage === 'share'
    ? new Problem('rate_limit_exceeded', {
        detail: `Requests of this caller that are under way hold as many bytes as they may. ${after}`,
        retry_after_seconds: 2,
      })
    : new Problem('service_unavailable', {
        detail: `The service holds as many bytes of requests as it may. ${after}`,
        retry_after_seconds: 5,
      });
}
