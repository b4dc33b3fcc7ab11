/** Time is an argument everywhere, so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** For times that do not leave the process: it cannot be set back or forward. */
export const monotonicClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) };
