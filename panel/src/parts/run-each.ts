/** At the same time: a page of rows is done in a second or two, and limits of the API are far away. */
const at_once = 4;

/** Does it to each key; a refusal keeps no other from being done. */
export async function runEach(
  keys: string[],
  run: (key: string) => Promise<unknown>,
  onDone: (done: number) => void = () => undefined,
): Promise<{ refused: number; first: string }> {
  const waiting = [...keys];
  const refusals: string[] = [];
  let done = 0;
  const work = async (): Promise<void> => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      try {
        await run(key);
      } catch (error) {
        refusals.push((error as Error).message);
      }
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(at_once, keys.length) }, work));
  return { refused: refusals.length, first: refusals[0] ?? '' };
}
