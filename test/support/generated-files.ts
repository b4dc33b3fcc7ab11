import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { markSvg } from '../../src/base/brand.ts';
import { Database } from '../../src/base/db/database.ts';
import { describeSchema } from './describe-schema.ts';
import { checksumsFile, checksumsText } from './migration-checksums.ts';
import { withReasonTables } from './reason-tables.ts';
import { createTestDatabase } from './test-database.ts';
import { startTestService } from './test-service.ts';
import { withToolTable } from './tool-table.ts';
import { typescriptClient } from './typescript-client.ts';
import { typescriptOperations } from './typescript-operations.ts';

export interface GeneratedFile {
  /** From the root of the repository. */
  path: string;
  text: string;
}

/** Files that are kept in the repository for people to read and review, and that are made from the code. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const { openapi, operations, client, mcp } = await describedByService();
  return [
    { path: 'database/schema.sql', text: await schemaText() },
    { path: 'openapi.json', text: openapi },
    { path: 'docs/mcp.md', text: mcp },
    { path: 'docs/webhooks.md', text: withReasonTables(await guideText('webhooks.md')) },
    { path: 'panel/src/api/operations.ts', text: operations },
    { path: 'clients/typescript/src/operations.ts', text: client },
    { path: 'panel/public/mark.svg', text: `${markSvg}\n` },
    { path: checksumsFile, text: await checksumsText() },
  ];
}

async function guideText(name: string): Promise<string> {
  return await readFile(path.resolve(import.meta.dirname, '../../docs', name), 'utf8');
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

/** As a service on the default address publishes it, as the panel and the client call it, and as the guide to MCP lists it. */
async function describedByService(): Promise<Record<'openapi' | 'operations' | 'client' | 'mcp', string>> {
  const service = await startTestService();
  try {
    const document: unknown = await (await fetch(`${service.base_url}/openapi.json`)).json();
    const text = JSON.stringify(document, undefined, 2).replaceAll(service.base_url, 'http://localhost:8080');
    const { operations } = service.service;
    const guide = await guideText('mcp.md');
    return {
      openapi: `${text}\n`,
      operations: typescriptOperations(operations),
      client: typescriptClient(operations),
      mcp: withToolTable(guide, operations),
    };
  } finally {
    await service.stop();
  }
}
