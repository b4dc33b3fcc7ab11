import { Readable } from 'node:stream';
import type { LiveEvent } from './live-schemas.ts';

/** What a client that was away for a moment can be given again. */
const maxKeptEvents = 500;
/** A client that takes less than this is cut off, and asks again. */
const maxUnreadBytes = 256 * 1024;

/** What is new of one instance, for all who look at it in this process. */
export class LiveChannel {
  readonly #streams = new Set<Readable>();
  #kept: { id: string; text: string }[] = [];
  /** Undefined while there are viewers. */
  idle_since: number | undefined = performance.now();

  /** After the event with this identifier; from now on without one. */
  open(lastId: string | undefined): Readable {
    const stream = new Readable({ read: () => undefined, highWaterMark: maxUnreadBytes });
    const place = this.#kept.findIndex(({ id }) => id === lastId);
    const isResumed = lastId !== undefined && place >= 0;
    stream.push(message('ready', { resumed: isResumed }));
    if (lastId !== undefined && !isResumed) stream.push(message('reset', {}));
    if (isResumed) for (const { text } of this.#kept.slice(place + 1)) stream.push(text);
    this.#streams.add(stream);
    this.idle_since = undefined;
    stream.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.idle_since = performance.now();
    });
    return stream;
  }

  /** What was told is still read; nothing more is told. */
  end(stream: Readable): void {
    if (this.#streams.delete(stream)) stream.push(null);
  }

  publish(event: LiveEvent): void {
    const text = `id: ${event.id}\n${message('mail', event)}`;
    this.#kept.push({ id: event.id, text });
    if (this.#kept.length > maxKeptEvents) this.#kept = this.#kept.slice(-maxKeptEvents / 2);
    this.#send(text);
  }

  /** More happened than is told one by one. */
  publishCount(count: number): void {
    this.#send(message('more', { count }));
  }

  /** Events may have been missed: viewers read their lists again. */
  reset(): void {
    this.#kept = [];
    this.#send(message('reset', {}));
  }

  /** A comment, by which proxies see that the connection is in use. */
  heartbeat(): void {
    this.#send(': \n\n');
  }

  #send(text: string): void {
    for (const stream of this.#streams) {
      stream.push(text);
      if (stream.readableLength > maxUnreadBytes) stream.destroy();
    }
  }
}

/** As server-sent events are written (HTML, 9.2.5). JSON has no line breaks. */
function message(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
