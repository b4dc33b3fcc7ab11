import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import type { Config } from '../base/config.ts';
import { openLineSink } from '../base/line-sink.ts';
import { prettyLine } from '../base/pretty-log.ts';

export interface LogOutput extends DestinationStream {
  /** Writes what was held back, and from now on at once. */
  release(): void;
}

const stderr = 2;
/** A start that takes longer shows what it does. */
const holdMs = 30_000;
/** These are never held back. */
const urgent = /"level":"(?:warn|error|fatal)"/;

/** Where the log goes: JSON for programs, and for people on a terminal lines to read. */
export function openLogOutput({ log_format, log_colours }: Config): LogOutput {
  const sink = openLineSink(stderr);
  const pretty = log_format === 'pretty' || (log_format === 'auto' && isatty(stderr));
  if (!pretty) return { write: (line) => sink.write(line), release: () => undefined };
  const colours = log_colours && isatty(stderr);
  return holdBack((line) => sink.write(prettyLine(line, { colours })));
}

/** The banner comes first, then what was logged during the start. */
function holdBack(write: (line: string) => void): LogOutput {
  let held: string[] | undefined = [];
  const release = (): void => {
    clearTimeout(timer);
    const lines = held ?? [];
    held = undefined;
    for (const line of lines) write(line);
  };
  const timer = setTimeout(release, holdMs).unref();
  return {
    release,
    write: (line) => void (held && !urgent.test(line) ? held.push(line) : write(line)),
  };
}
