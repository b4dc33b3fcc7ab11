/** What is known already, or will be. */
export type Eventually<T> = T | Promise<T>;

/** Takes the next step: at once where the value is known, as it is for most commands. */
export function follow<T, Next>(
  value: Eventually<T>,
  step: (value: T) => Eventually<Next>,
): Eventually<Next> {
  return value instanceof Promise ? value.then(step) : step(value);
}
