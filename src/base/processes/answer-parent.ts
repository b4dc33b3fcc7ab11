/**
 * The other side of `worker-process.ts`: answers each message of the parent with one, and ends with the parent. What
 * `answer` throws is a bug; outcomes are values.
 */
export function answerParent(answer: (message: never) => unknown): void {
  const send = (message: unknown): unknown => process.send?.(message);
  process.on('message', (message) => {
    void Promise.resolve(message as never)
      .then(answer)
      .then(
        (answered) => send({ answered }),
        (error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }),
      );
  });
  process.once('disconnect', () => process.exit());
  send('ready');
}
