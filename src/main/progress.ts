interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

interface Progress {
  show(done: number, total: number, about?: string): void;
  /** Takes the line away. */
  end(): void;
}

const intervalMs = 200;
const eraseLine = '\r\u001B[2K';

/** A line on standard error that says how far long work is. Only a terminal gets it: in a log it would be noise. */
export function createProgress(
  work: string,
  terminal: Terminal = process.stderr,
  format: (done: number) => string = formatBytes,
): Progress {
  const began = performance.now();
  let shown = -Infinity;
  return {
    show(done, total, about = '') {
      const now = performance.now();
      if (!terminal.isTTY || now - shown < intervalMs) return;
      shown = now;
      const percent = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 0;
      const seconds = Math.round((now - began) / 1000);
      terminal.write(`${eraseLine}${work}: ${percent} %, ${format(done)}, ${seconds} s  ${about}`);
    },
    end() {
      if (terminal.isTTY && shown > -Infinity) terminal.write(eraseLine);
    },
  };
}

/** The same pieces; how many of all bytes have passed is shown meanwhile. */
export async function* withProgress(
  pieces: AsyncIterable<Uint8Array>,
  { work, total, terminal }: { work: string; total: number; terminal?: Terminal },
): AsyncGenerator<Uint8Array> {
  const progress = createProgress(work, terminal);
  let done = 0;
  try {
    for await (const piece of pieces) {
      yield piece;
      done += piece.length;
      progress.show(done, total);
    }
  } finally {
    progress.end();
  }
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `3.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
