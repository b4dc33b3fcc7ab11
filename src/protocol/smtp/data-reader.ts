import type { ByteHold, Shortage } from '../byte-budget.ts';
import { PieceList } from './piece-list.ts';

export interface DataLimits {
  max_message_bytes: number;
  /** RFC 5322 §2.1.1 allows 998; longer lines are accepted up to this many octets. */
  max_line_bytes: number;
  /** What to do with a bare CR or LF, which RFC 5321 §2.3.8 forbids. */
  bare_newlines: 'reject' | 'fix';
  /** RFC 5322 §4.1 forbids to write it; readers end a header at it, or see what follows. */
  nul: 'reject' | 'keep';
}

export type DataFault = 'too_big' | 'bare_newline' | 'long_line' | 'nul' | 'no_share' | 'no_memory';

export interface DataResult {
  /** Empty when there is a fault. */
  data: Buffer[];
  size: number;
  fault: DataFault | undefined;
}

type State = 'line_start' | 'dot' | 'dot_cr' | 'text' | 'cr';

const crByte = 13;
const lfByte = 10;
const dotByte = 46;
const crlf = Buffer.from('\r\n');
const lfBytes = Buffer.from('\n');
const crBytes = Buffer.from('\r');

/**
 * Reads the message that follows DATA. Only CRLF "." CRLF ends it: a dot between bare line ends is text like any other,
 * so that no sender's bare line ends can smuggle a second message in (CVE-2023-51764 and its kin). After a fault it
 * keeps nothing and reads on to the end.
 */
export class DataReader {
  readonly #limits: DataLimits;
  readonly #hold: ByteHold;
  readonly #pieces = new PieceList();
  #state: State = 'line_start';
  #size = 0;
  #lineLength = 0;
  #fault: DataFault | undefined;

  constructor(limits: DataLimits, hold: ByteHold) {
    this.#limits = limits;
    this.#hold = hold;
  }

  /** Reads a chunk. Returns the offset after the end of the message, or -1 when it continues. */
  write(chunk: Buffer): number {
    let at = 0;
    let from = 0;
    // Searching a latin1 string takes a third of the time of searching a Buffer.
    const octets = chunk.toString('latin1');
    // Searched again only once passed, so that a chunk is read in linear time.
    let cr = -1;
    let lf = -1;
    const end = chunk.length;
    while (at < end) {
      switch (this.#state) {
        case 'line_start':
          if (chunk[at] !== dotByte) {
            this.#state = 'text';
            break;
          }
          // A stuffed dot or the final one: not part of the message (RFC 5321 §4.5.2).
          this.#add(chunk, from, at);
          at += 1;
          from = at;
          this.#state = 'dot';
          break;
        case 'dot':
          this.#state = 'text';
          if (chunk[at] !== crByte) break;
          at += 1;
          from = at;
          this.#state = 'dot_cr';
          break;
        case 'dot_cr':
          if (chunk[at] === lfByte) return at + 1;
          this.#state = 'text';
          this.#insert(crBytes);
          this.#bareNewline(lfBytes);
          break;
        case 'cr':
          if (chunk[at] === lfByte) {
            at += 1;
            this.#lineLength = 0;
            this.#state = 'line_start';
            break;
          }
          this.#state = 'text';
          this.#bareNewline(lfBytes);
          break;
        case 'text': {
          if (cr < at) cr = search(octets, '\r', at);
          if (lf < at) lf = search(octets, '\n', at);
          const newline = Math.min(cr, lf);
          this.#measureLine(newline - at);
          if (newline === end) {
            at = end;
          } else if (newline === cr && cr + 1 === end) {
            at = end;
            this.#state = 'cr';
          } else if (newline === cr && lf === cr + 1) {
            at = lf + 1;
            this.#lineLength = 0;
            this.#state = 'line_start';
          } else {
            this.#add(chunk, from, newline);
            at = newline + 1;
            from = at;
            this.#bareNewline(crlf);
          }
          break;
        }
      }
    }
    this.#add(chunk, from, end);
    return -1;
  }

  /** The message. Its memory stays reserved until `release`. */
  result(): DataResult {
    return { data: this.#pieces.take(), size: this.#size, fault: this.#fault };
  }

  release(): void {
    this.#pieces.clear();
    this.#hold.release();
  }

  #add(chunk: Buffer, from: number, to: number): void {
    if (to > from) this.#insert(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
  }

  #insert(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#fault !== undefined) return;
    if (this.#size > this.#limits.max_message_bytes) {
      this.#fail('too_big');
      return;
    }
    if (this.#limits.nul === 'reject' && piece.includes(0)) {
      this.#fail('nul');
      return;
    }
    const shortage = this.#hold.growTo(this.#size);
    if (shortage === undefined) this.#pieces.add(piece);
    else this.#fail(faultOf(shortage));
  }

  #bareNewline(replacement: Buffer): void {
    this.#lineLength = 0;
    if (this.#limits.bare_newlines === 'fix') this.#insert(replacement);
    else this.#fail('bare_newline');
  }

  #measureLine(octets: number): void {
    this.#lineLength += octets;
    if (this.#lineLength > this.#limits.max_line_bytes) this.#fail('long_line');
  }

  #fail(fault: DataFault): void {
    this.#fault ??= fault;
    this.release();
  }
}

export function faultOf(shortage: Shortage): DataFault {
  return shortage === 'share' ? 'no_share' : 'no_memory';
}

/** Like indexOf, but the length of the text when it is not found. */
function search(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from);
  return found === -1 ? text.length : found;
}
