import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService, type TestService } from '../support/test-service.ts';

/**
 * Generators of clients are not dependencies: `CHASQUI_GENERATORS` names a folder where they are installed
 * (CONTRIBUTING.md).
 */
const programs = path.join(process.env['CHASQUI_GENERATORS'] ?? '', 'node_modules/.bin');
const root = path.resolve(import.meta.dirname, '../..');
const document = path.join(root, 'openapi.json');

/** What users of all of them write: the slug as a header, and no member that has a default. */
const message = `
const { BASE_URL = '', KEY = '' } = process.env;
const headers = { authorization: \`Bearer \${KEY}\`, 'X-Instance-Slug': 'demo' };
const body = {
  sender_email: 'test@demo.sandbox.test',
  to: [{ email: 'delivered@sandbox.test' }],
  subject: 'Hello',
  html: '<p>It works.</p>',
};
`;

const generators = {
  'openapi-typescript': {
    words: (output: string) => [document, '-o', path.join(output, 'api.ts')],
    use: `import type { operations } from './api';
${message}
type Send = operations['send_mail'];
const typed: Send['requestBody']['content']['application/json'] = body;
const slug: Pick<Send['parameters']['header'], 'X-Instance-Slug'> = headers;
const query: operations['list_mails']['parameters']['query'] = {};
fetch(BASE_URL + '/v1/mails/send', {
  method: 'POST',
  headers: { ...headers, ...slug, 'content-type': 'application/json' },
  body: JSON.stringify({ ...typed, ...query }),
}).then(async (answer) => {
  const sent: Send['responses'][200]['content']['application/json'] = await answer.json();
  console.log(sent.message_id);
});`,
  },
  orval: {
    words: (output: string) => ['--config', path.join(output, 'orval.config.cjs')],
    use: `import { sendMail, type NewMessage, type NewMessageForm } from './api';
${message}
const typed: NewMessage = body;
const form: NewMessageForm = { ...body, to: JSON.stringify(body.to) };
sendMail(typed, headers, { headers: { ...headers, 'content-type': 'application/json' } }).then((answer) => {
  if (answer.status !== 200) throw new Error(form.subject ?? '');
  console.log(answer.data.message_id);
});`,
  },
  'openapi-ts': {
    words: (output: string) => ['-i', document, '-o', path.join(output, 'client'), '--no-log-file'],
    use: `import { client } from './client/client.gen';
import { sendMail } from './client/sdk.gen';
${message}
client.setConfig({ baseUrl: BASE_URL });
sendMail({ body, headers, throwOnError: true }).then(({ data }) => console.log(data.message_id));`,
  },
};

let service: TestService | undefined;
let key = '';
before(async () => {
  if (!existsSync(programs)) return;
  service = await startTestService();
  ({ api_key: key } = await service.tenant({ slug: 'demo' }));
});
after(async () => await service?.stop());

for (const [program, { words, use }] of Object.entries(generators)) {
  const skip = existsSync(path.join(programs, program)) ? false : `${program} is not installed`;
  test(`what ${program} generates compiles and sends`, { skip }, async (t) => {
    const base_url = service?.base_url ?? '';
    const output = await mkdtemp(path.join(tmpdir(), 'chq-client-'));
    t.after(async () => await rm(output, { recursive: true, force: true }));
    const run = async (words_: string[], env: NodeJS.ProcessEnv = {}) =>
      await promisify(execFile)(process.execPath, words_, {
        cwd: output,
        env: { PATH: process.env['PATH'], HOME: output, ...env },
        timeout: 100_000,
      }).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(`${error.stdout}${error.stderr}`.slice(0, 3_000), { cause: error });
      });
    const target = { target: './api.ts', client: 'fetch', headers: true, baseUrl: base_url };
    await writeFile(
      path.join(output, 'orval.config.cjs'),
      `module.exports = ${JSON.stringify({ api: { input: document, output: target } })};`,
    );
    await run([path.join(programs, program), ...words(output)]);
    await writeFile(path.join(output, 'use.ts'), use);
    await run([
      path.join(programs, 'tsc'),
      '--strict',
      '--skipLibCheck',
      ...Object.entries(compilerOptions).flat(),
      'use.ts',
    ]);
    const { stdout } = await run(['out/use.js'], { BASE_URL: base_url, KEY: key });
    assert.match(stdout, /^[\da-f-]{36}\n$/, (await readdir(output)).join(' '));
  });
}

const compilerOptions = {
  '--target': 'es2022',
  '--lib': 'es2022,dom,dom.iterable',
  '--module': 'commonjs',
  '--moduleResolution': 'node10',
  '--outDir': 'out',
  '--types': 'node',
  '--typeRoots': path.join(root, 'node_modules/@types'),
};
