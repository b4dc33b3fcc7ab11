import { type Client, type PoolClient, Query, type QueryResultRow } from 'pg';

/**
 * Runs one statement, prepared where it has a name. The driver's own `query` copies its configuration with property
 * descriptors, which takes as long as all the rest that it does for a small result; from a text it copies nothing.
 */
export async function runQuery<Row extends QueryResultRow>(
  client: Client | PoolClient,
  { name, text }: { name?: string; text: string },
  values: unknown[],
): Promise<Row[]> {
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      const query = new Query<Row>(text, values, (error, result) => {
        if (error) reject(error);
        else resolve(result.rows);
      });
      if (name !== undefined) Object.assign(query, { name });
      client.query(query);
    });
  } catch (error) {
    // Leads to the caller instead of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
