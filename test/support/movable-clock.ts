/** The shape the product asks of a clock. */
export interface Clock {
  now(): Date;
}

export interface MovableClock extends Clock {
  /** Moves by `ms` (backwards when negative) and gives the new time. */
  advance(ms: number): Date;
  set(date: Date | string): void;
}

/** A clock that stands still until a test moves it. */
export function createMovableClock(start: Date | string): MovableClock {
  let time = timeOf(start);
  return {
    now: () => new Date(time),
    advance(ms) {
      time = timeOf(new Date(time + ms));
      return new Date(time);
    },
    set(date) {
      time = timeOf(date);
    },
  };
}

/** What time it really is: the default of every tool here that notes when something happened. */
export const wallClock: Clock = { now: () => new Date() };

function timeOf(date: Date | string): number {
  const time = new Date(date).getTime();
  if (Number.isNaN(time)) throw new RangeError(`not a moment in time: ${String(date)}`);
  return time;
}
