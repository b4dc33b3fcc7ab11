import { randomFillSync, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const acceptable = /^[A-Za-z0-9._:-]{1,128}$/;
// W3C Trace Context §3.2: version-traceid-parentid-flags; all-zero ids and version ff are invalid, and only versions
// after 00 may have more behind the flags.
const traceparent =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|(?<!^00-.*)-)/;

/** The client's own X-Request-Id when it is harmless to echo and log, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

/** The caller's W3C trace, so that its spans and our log lines meet, else a new one. */
export function traceIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['traceparent'];
  const match = typeof given === 'string' ? traceparent.exec(given) : null;
  return match?.[1] ?? newTraceId();
}

const idBytes = 16;
const pool = Buffer.alloc(256 * idBytes);
let used = pool.length;

/** Random bytes for many ids at a time: asking for those of one cost 5 % of an empty request. */
function newTraceId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString('hex', used - idBytes, used);
}
