import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

type Fields = Record<string, unknown>;

/**
 * Structured lines, one JSON object each, on standard error: standard output is for what a command answers. Call sites
 * name the fields they log and never hand over whole requests, configurations or rows; `censor` stands behind that as
 * a second net.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stamp(),
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Fields) => censor(fields, censorInner),
    },
    serializers: { err: (error: Error) => censor(wordsOf(pino.stdSerializers.err(error))) },
  };
  return pino(options, destination ?? pino.destination(2));
}

/** Drivers hang whole connections on their errors, with the keys to them: objects are not logged. */
function wordsOf(error: Fields): Fields {
  return Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value !== 'object'));
}

/** Busy processes write many lines in one millisecond; writing down the moment takes a third of a line's time. */
function stamp(): () => string {
  let last = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

const secrets = new Set(['authorization', 'password', 'token', 'secret', 'api_key', 'cookie']);

/**
 * Hides values by the names of their fields, and of the fields right below them. pino's own redaction does the same
 * for 11 µs a line where this adds 0.2 to the 3 that a line takes: nothing is copied unless there is something to hide.
 */
function censor(fields: Fields, look: (value: unknown) => unknown = (value) => value): Fields {
  let censored: Fields | undefined;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const shown = secrets.has(name) ? '[redacted]' : look(value);
    if (shown !== value) (censored ??= { ...fields })[name] = shown;
  }
  return censored ?? fields;
}

/** Errors are looked at as their serializer wrote them down. */
function censorInner(value: unknown): unknown {
  const isPlain = typeof value === 'object' && value !== null && !(value instanceof Error);
  return isPlain && !Array.isArray(value) ? censor(value as Fields) : value;
}
