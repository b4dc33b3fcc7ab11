import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import type { Config } from '../base/config.ts';
import { openLineSink } from '../base/line-sink.ts';
import { prettyLine } from '../base/pretty-log.ts';

export interface LogOutput extends DestinationStream {
  /** Lines to read, not JSON for programs. */
  is_for_people: boolean;
  /** Resolves when everything that was logged is written. */
  flushed(): Promise<void>;
}

const stderr = 2;

/** Where the log goes: JSON for programs, and for people on a terminal lines to read. */
export function openLogOutput({
  log_format,
  log_colours,
}: Pick<Config, 'log_format' | 'log_colours'>): LogOutput {
  const sink = openLineSink(stderr);
  const is_for_people = log_format === 'pretty' || (log_format === 'auto' && isatty(stderr));
  const colours = log_colours && isatty(stderr);
  return {
    is_for_people,
    write: (line) => sink.write(is_for_people ? prettyLine(line, { colours }) : line),
    flushed: async () => await sink.flushed(),
  };
}
