/**
 * Bounces have integers there. Those of ours are events: their time in milliseconds and the next 12 bits of the UUID make an
 * integer that JSON carries exactly until 2039, and by which the event is found again.
 */
export function bounceIdOf(eventId: string): number {
  const digits = eventId.replaceAll('-', '');
  return Number.parseInt(digits.slice(0, 12), 16) * 4096 + Number.parseInt(digits.slice(13, 16), 16);
}

/** The identifiers that an event of this number lies between, both included; undefined when it can be none. */
export function eventRangeOf(bounceId: string): [first: string, last: string] | undefined {
  const id = Number(bounceId);
  if (!/^\d{1,16}$/.test(bounceId) || !Number.isSafeInteger(id)) return undefined;
  const time = Math.floor(id / 4096)
    .toString(16)
    .padStart(12, '0');
  const start = `${time.slice(0, 8)}-${time.slice(8)}-7${(id % 4096).toString(16).padStart(3, '0')}`;
  return [`${start}-0000-000000000000`, `${start}-ffff-ffffffffffff`];
}
