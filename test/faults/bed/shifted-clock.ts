import { readFileSync } from 'node:fs';

/**
 * Loaded before anything else (`NODE_OPTIONS=--import=…`): gives the process a wall clock that is wrong by
 * FAULTS_CLOCK_SHIFT_MS, or by what the file FAULTS_CLOCK_SHIFT_FILE says, which may change. Time that only runs, such as
 * `performance.now()` and timers, is as it was.
 */
let shift_ms = Number(process.env['FAULTS_CLOCK_SHIFT_MS'] ?? 0);
const file = process.env['FAULTS_CLOCK_SHIFT_FILE'];
const look_every_ms = 200;

if (file !== undefined) {
  const look = (): void => void (shift_ms = Number(readFileSync(file, 'utf8')));
  look();
  setInterval(look, look_every_ms).unref();
}

globalThis.Date = new Proxy(Date, {
  construct: (target, values: [], made) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + shift_ms] : values, made) as Date,
  // Without `new` it gives the time in words.
  apply: (target) => new target(target.now() + shift_ms).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + shift_ms : (Reflect.get(target, name, receiver) as unknown),
});
