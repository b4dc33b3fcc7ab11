import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from '../../test/support/test-service.ts';
import { toolTable } from './tool-table.ts';

/**
 * The command line of the official inspector takes 90 MB and is not installed with the rest. Install
 * `@modelcontextprotocol/inspector` anywhere and give the path of its program to have it tried.
 */
const program = process.env['CHASQUI_TEST_INSPECTOR'];
const skip = program === undefined ? 'CHASQUI_TEST_INSPECTOR is not set' : false;
const execute = promisify(execFile);

test('the inspector lists, calls, reads and is refused', { skip }, async (t) => {
  const service = await startTestService();
  t.after(async () => await service.stop());
  const { api_key, instance } = await service.tenant();
  const inspect = async (method: string, ...more: string[]) => {
    const server = ['--cli', `${service.base_url}/mcp`, '--transport', 'http', '--method', method];
    const headers = [
      '--header',
      `Authorization: Bearer ${api_key}`,
      '--header',
      `X-Instance-Slug: ${instance.slug}`,
    ];
    const { stdout } = await execute(process.execPath, [program ?? '', ...server, ...headers, ...more]).catch(
      // It ends with a failure where a call is refused, and prints the answer all the same.
      (error: unknown) => error as { stdout: string },
    );
    return JSON.parse(stdout);
  };
  const { tools } = await inspect('tools/list');
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    toolTable.map(({ name }) => name),
  );
  const listed = await inspect('tools/call', '--tool-name', 'list_senders', '--tool-arg', 'page_size=5');
  assert.equal(listed.structuredContent.pagination.page_size, 5);
  const refused = await inspect('tools/call', '--tool-name', 'get_mail', '--tool-arg', 'mail_id=none');
  assert.equal(refused.isError, true);
  assert.equal(JSON.parse(refused.content[0].text).code, 'mail_not_found');
  const { contents } = await inspect('resources/read', '--uri', 'chasqui://guide');
  assert.match(contents[0].text, /^# Short guide for agents/);
});
