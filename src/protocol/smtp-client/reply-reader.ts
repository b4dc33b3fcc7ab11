import type { Reply } from './reply.ts';

const lfByte = 10;
const crByte = 13;
const space = 32;
const hyphen = 45;
const zero = 48;

/** RFC 5321 §4.5.3.1.5 allows 512 octets; explanations of real servers are longer. */
const longestLine = 2048;
const mostLines = 100;
const longestReply = 65_536;
const nothing: Buffer = Buffer.alloc(0);

/** Makes replies of what a server sends, however it is cut, and keeps no more of it than a reply may have. */
export class ReplyReader {
  #rest = nothing;
  #lines: string[] = [];
  #size = 0;

  /** Gives the replies that this chunk completes, and what is wrong with what comes after them, if anything is. */
  read(chunk: Buffer): { replies: Reply[]; fault: string | undefined } {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const replies: Reply[] = [];
    let from = 0;
    for (let end = bytes.indexOf(lfByte); end !== -1; end = bytes.indexOf(lfByte, from)) {
      const fault = this.#readLine(bytes, { from, end }, replies);
      if (fault !== undefined) return { replies, fault };
      from = end + 1;
    }
    // A copy: the chunk may be much longer than the piece that is kept of it.
    this.#rest = from === bytes.length ? nothing : Buffer.from(bytes.subarray(from));
    return { replies, fault: this.#rest.length > longestLine ? 'a line without end' : undefined };
  }

  clear(): void {
    this.#rest = nothing;
    this.#lines = [];
    this.#size = 0;
  }

  /** Takes lines that end in a bare LF, too: nothing hangs on it, and servers exist that send them. */
  #readLine(bytes: Buffer, { from, end }: Place, replies: Reply[]): string | undefined {
    const textEnd = bytes[end - 1] === crByte ? end - 1 : end;
    const code = codeAt(bytes, from);
    const separator = textEnd - from > 3 ? bytes[from + 3] : space;
    if (code === undefined || (separator !== space && separator !== hyphen))
      return `not a reply: ${excerpt(bytes.subarray(from, end))}`;
    const length = end - from;
    this.#size += length;
    if (length > longestLine || this.#size > longestReply) return 'a reply without end';
    if (this.#lines.push(bytes.toString('utf8', from + 4, textEnd)) > mostLines) return 'a reply without end';
    if (separator === hyphen) return undefined;
    // The code must be the same on all lines (RFC 5321 §4.2.1); where it is not, the last one counts.
    replies.push({ code, lines: this.#lines });
    this.#lines = [];
    this.#size = 0;
    return undefined;
  }
}

/** A line without its LF. */
interface Place {
  from: number;
  end: number;
}

function codeAt(bytes: Buffer, at: number): number | undefined {
  const [first, second, third] = [digitAt(bytes, at), digitAt(bytes, at + 1), digitAt(bytes, at + 2)];
  if (first < 2 || first > 5 || !isDigit(second) || !isDigit(third)) return undefined;
  return first * 100 + second * 10 + third;
}

function digitAt(bytes: Buffer, at: number): number {
  return (bytes[at] ?? 0) - zero;
}

function isDigit(value: number): boolean {
  return value >= 0 && value <= 9;
}

function excerpt(line: Buffer): string {
  return JSON.stringify(line.toString('latin1', 0, 60));
}
