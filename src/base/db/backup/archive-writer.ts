import { hash } from 'node:crypto';
import { blockBytes, paddingOf, tarHeader } from '../../../protocol/tar/tar.ts';
import { checksumsName } from './manifest.ts';

/** Where the bytes of an archive go; resolves when there is room for more. */
export type Sink = (bytes: Buffer) => Promise<void>;

/** A tar archive whose last member has the SHA-256 of all others, as `sha256sum` writes and checks them. */
export class ArchiveWriter {
  readonly #sink: Sink;
  readonly #modified = new Date();
  readonly #sums: string[] = [];
  bytes = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async add(name: string, content: Buffer): Promise<void> {
    this.#sums.push(`${hash('sha256', content)}  ${name}\n`);
    await this.#write(name, content);
  }

  /** Without this last member an archive counts as cut off. */
  async finish(): Promise<void> {
    await this.#write(checksumsName, Buffer.from(this.#sums.join('')));
    await this.#put(Buffer.alloc(2 * blockBytes));
  }

  async #write(name: string, content: Buffer): Promise<void> {
    await this.#put(tarHeader({ name, size: content.length }, this.#modified));
    await this.#put(content);
    await this.#put(Buffer.alloc(paddingOf(content.length)));
  }

  async #put(bytes: Buffer): Promise<void> {
    this.bytes += bytes.length;
    if (bytes.length > 0) await this.#sink(bytes);
  }
}
