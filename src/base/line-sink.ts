import { write, writeSync } from 'node:fs';

export interface LineSink {
  write(line: string): void;
  /** Resolves when nothing waits to be written. */
  flushed(): Promise<void>;
}

/** Beyond this, lines are lost: a reader that stands still must not fill the memory. */
const maxWaitingCharacters = 4 * 1024 * 1024;
/** For a pipe that takes nothing at the moment. */
const retryMs = 100;

/**
 * Writes lines to a file descriptor, those that come during a write together. What cannot be written, as on a full disk, is
 * lost: a log neither ends nor holds up what it is about. (sonic-boom throws, and at the exit tries for ever.)
 */
export function openLineSink(fd: number): LineSink {
  let waiting = '';
  let rest = Buffer.alloc(0);
  let isWriting = false;
  let onIdle: (() => void)[] = [];

  function next(): void {
    if (rest.length === 0) {
      rest = Buffer.from(waiting);
      waiting = '';
    }
    isWriting = rest.length > 0;
    if (isWriting) return write(fd, rest, written);
    for (const resolve of onIdle) resolve();
    onIdle = [];
  }

  function written(error: NodeJS.ErrnoException | null, count: number): void {
    if (error?.code === 'EAGAIN') return void setTimeout(next, retryMs);
    rest = rest.subarray(error ? rest.length : count);
    next();
  }

  process.on('exit', () => {
    try {
      const last = Buffer.from(waiting);
      for (let at = 0; at < last.length;) at += writeSync(fd, last, at);
    } catch {
      // Lost, as above.
    }
  });
  return {
    write(line) {
      if (waiting.length < maxWaitingCharacters) waiting += line;
      if (!isWriting) next();
    },
    flushed: async () => {
      if (isWriting) await new Promise<void>((resolve) => onIdle.push(resolve));
    },
  };
}
