const minuteMs = 60_000;

/** The wall clock of a zone at a moment, as `<input type="datetime-local">` takes it: `2026-11-16T09:30`. */
export function wallTime(at: Date, timeZone: string): string {
  // Swedish writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return format.format(at).replace(' ', 'T');
}

/** The moment at which the clock of a zone shows that; the text itself when it is not a time. */
export function momentOf(wall: string, timeZone: string): string {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return wall;
  const offsetAt = (ms: number): number => Date.parse(`${wallTime(new Date(ms), timeZone)}Z`) - floor(ms);
  // The second step is for the hours around a change of the clocks.
  const near = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(near)).toISOString();
}

function floor(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs;
}
