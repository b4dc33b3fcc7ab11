import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Database } from '../../src/base/db/database.ts';
import { describeSchema } from '../../src/base/db/describe-schema.ts';
import { checksums_file, checksumsText } from './migration-checksums.ts';
import { createTestDatabase } from './test-database.ts';
import { startTestService } from './test-service.ts';
import { withToolTable } from './tool-table.ts';

export interface GeneratedFile {
  /** From the root of the repository. */
  path: string;
  text: string;
}

/** Files that are kept in the repository for people to read and review, and that the code alone decides. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: 'database/schema.sql', text: await schemaText() },
    { path: 'openapi.json', text: await openApiText() },
    { path: 'docs/mcp.md', text: await mcpText() },
    { path: checksums_file, text: await checksumsText() },
  ];
}

async function schemaText(): Promise<string> {
  const database = await createTestDatabase();
  const options = { pool_size: 2, pipelines: 0, on_error: () => undefined };
  const db = new Database({ connection: database.connection, ...options });
  try {
    return await describeSchema(db);
  } finally {
    await db.end();
    await database.drop();
  }
}

/** Written by hand but for its table. */
async function mcpText(): Promise<string> {
  const service = await startTestService();
  try {
    const page = await readFile(path.resolve(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
    return withToolTable(page, service.service.operations);
  } finally {
    await service.stop();
  }
}

/** As a service on the default address publishes it. */
async function openApiText(): Promise<string> {
  const service = await startTestService();
  try {
    const document: unknown = await (await fetch(`${service.base_url}/openapi.json`)).json();
    const text = JSON.stringify(document, undefined, 2).replaceAll(service.base_url, 'http://localhost:8080');
    return `${text}\n`;
  } finally {
    await service.stop();
  }
}
