/** From here on work on a body is long enough to be felt by others: about 4 ms for each megabyte. */
const large_bytes = 1024 * 1024;

export function isLarge(bytes: number): boolean {
  return bytes > large_bytes;
}

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other large body has, so that what is small gets its turns in between.
 * Without it all large bodies that are complete at the same time are worked on before anything else.
 */
export async function ownTurn(): Promise<void> {
  last = last.then(async () => await new Promise((resolve) => void setImmediate(resolve)));
  await last;
}
