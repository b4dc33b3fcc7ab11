import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/**
 * Structured lines, one JSON object each, on standard error: standard output is for what a command answers. Call sites name the fields they log and never hand over whole requests,
 * configurations or rows; redaction stands behind that as a second net.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['authorization', 'password', 'token', 'secret', 'api_key', 'cookie'].flatMap((name) => [
        name,
        `*.${name}`,
      ]),
      censor: '[redacted]',
    },
  };
  return pino(options, destination ?? pino.destination(2));
}
