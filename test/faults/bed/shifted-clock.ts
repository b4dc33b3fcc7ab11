/**
 * Loaded before anything else (`NODE_OPTIONS=--import=…`): gives the process a wall clock that is wrong by
 * FAULTS_CLOCK_SHIFT_MS. Time that only runs, such as `performance.now()` and timers, is as it was.
 */
const shift_ms = Number(process.env['FAULTS_CLOCK_SHIFT_MS'] ?? 0);

globalThis.Date = new Proxy(Date, {
  construct: (target, values: [], made) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + shift_ms] : values, made) as Date,
  // Without `new` it gives the time in words.
  apply: (target) => new target(target.now() + shift_ms).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + shift_ms : (Reflect.get(target, name, receiver) as unknown),
});
