import { Client } from 'pg';

export const databaseName = 'chasqui';

interface Connection {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
}

/** initdb makes only the database `postgres`; a start cut short may have ended before ours was made. */
export async function ensureDatabase({ database, password = '', ...server }: Connection): Promise<void> {
  // Everything is said here, so that PGSSLMODE and the like in the environment have no say.
  const options = { ssl: false, password, connectionTimeoutMillis: 10_000 };
  const client = new Client({ ...server, ...options, database: 'postgres' });
  client.on('error', () => {}); // the pending query rejects as well
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
