import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { becomeReady, makeBed } from '../support/service-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const npm = ['npm', '--prefix', root, '--silent', 'start', '--'];
const quiet = { npm_config_update_notifier: 'false', npm_config_logs_max: '0' };

/** Sends a signal; false when there is no such process. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

test('SIGTERM and SIGINT to npm stop the service that `npm start` runs', async (t) => {
  const bed = makeBed(t, { ...quiet, CHASQUI_DEMO: 'false' }, { without_cluster: true });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, ready, stderr } = await becomeReady(bed.start(['--json', '--roles', 'jobs'], {}, npm));
    assert.notEqual(ready.pid, child.pid, 'npm is a process of its own');
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(signalled(ready.pid, 'SIGKILL'), false, `${signal} to npm left the service behind`);
    assert.equal(bed.postgresPid(), undefined, `${signal} to npm left the database behind`);
    assert.equal(code, 0, stderr());
    assert.match(stderr(), /"msg":"running jobs; metrics on http:[^"]+; embedded PostgreSQL in [^"]+"/);
    assert.match(stderr(), /"msg":"stopped"/);
  }
});
