import { readFileSync } from 'node:fs';

/**
 * Loaded before anything else (`NODE_OPTIONS=--import=…`): gives the process a wall clock that is wrong by
 * FAULTS_CLOCK_SHIFT_MS, or by what the file FAULTS_CLOCK_SHIFT_FILE says, which may change. Time that only runs, such as
 * `performance.now()` and timers, is as it was.
 */
let shiftMs = Number(process.env['FAULTS_CLOCK_SHIFT_MS'] ?? 0);
const file = process.env['FAULTS_CLOCK_SHIFT_FILE'];
const lookEveryMs = 200;

if (file !== undefined) {
  const look = (): void => void (shiftMs = Number(readFileSync(file, 'utf8')));
  look();
  setInterval(look, lookEveryMs).unref();
}

globalThis.Date = new Proxy(Date, {
  construct: (target, values: [], made) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + shiftMs] : values, made) as Date,
  // Without `new` it gives the time in words.
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + shiftMs : (Reflect.get(target, name, receiver) as unknown),
});
