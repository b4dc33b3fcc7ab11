import type { Client, Submittable } from 'pg';

/** `COPY (…) TO STDOUT` as fast as the driver takes it: the rows are counted and thrown away. */
export async function copyOut(client: Client, query: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let rows = 0;
  const copy = {
    submit: (connection: { query(text: string): void }) =>
      connection.query(`copy (${query}) to stdout (format csv)`),
    handleCopyData: () => void (rows += 1),
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => resolve(rows),
    handleError: (error: Error) => reject(error),
  };
  client.query(copy as unknown as Submittable);
  return await promise;
}
