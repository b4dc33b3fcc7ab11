import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generatedFiles } from './generated-files.ts';
import { startTestServer } from './test-database.ts';

/** `npm run generate`: writes the files that test/generated.test.ts holds to the code. */
const root = path.resolve(import.meta.dirname, '../..');
const server = await startTestServer();
process.env['CHASQUI_TEST_SERVER'] = JSON.stringify(server.connection);
try {
  for (const { path: file, text } of await generatedFiles()) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
    process.stdout.write(`wrote ${file}\n`);
  }
} finally {
  await server.stop();
}
