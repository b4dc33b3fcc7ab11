const lfByte = 10;
const dotByte = 46;
const lineOfDot = Buffer.from('\n.');
const crlf = Buffer.from('\r\n');

/**
 * A message as it goes over the wire (RFC 5321 §4.5.2): a dot more where a line begins with one, and ended by CRLF.
 * Do this once for what many recipients get. Pieces without such lines are given back as they are, not copied.
 *
 * A dot after a bare LF gets its double as well: a server that takes that for a line end would else see the message
 * end there and read the rest as commands of ours. Messages should not have bare LFs, so this adds a dot to none.
 */
export function stuffDots(chunks: Buffer | readonly Buffer[]): Buffer[] {
  const stuffed: Buffer[] = [];
  let last: Buffer | undefined;
  for (const chunk of Buffer.isBuffer(chunks) ? [chunks] : chunks) {
    if (chunk.length === 0) continue;
    stuffed.push(stuffChunk(chunk, last === undefined || last.at(-1) === lfByte));
    last = chunk;
  }
  if (last !== undefined && !endsWithCrlf(stuffed)) stuffed.push(crlf);
  return stuffed;
}

function stuffChunk(chunk: Buffer, atLineStart: boolean): Buffer {
  const dots: number[] = atLineStart && chunk[0] === dotByte ? [0] : [];
  for (let at = chunk.indexOf(lineOfDot); at !== -1; at = chunk.indexOf(lineOfDot, at + 2)) dots.push(at + 1);
  if (dots.length === 0) return chunk;
  const stuffed = Buffer.allocUnsafe(chunk.length + dots.length);
  let from = 0;
  let to = 0;
  for (const dot of dots) {
    to += chunk.copy(stuffed, to, from, dot);
    stuffed[to] = dotByte;
    to += 1;
    from = dot;
  }
  chunk.copy(stuffed, to, from);
  return stuffed;
}

/** The CR and the LF may be in different pieces. */
export function endsWithCrlf(chunks: readonly Buffer[]): boolean {
  const last = chunks.at(-1);
  if (last === undefined) return true;
  const end = last.length >= 2 ? last : Buffer.concat(chunks.slice(-2));
  return end.at(-1) === lfByte && end.at(-2) === 13;
}
