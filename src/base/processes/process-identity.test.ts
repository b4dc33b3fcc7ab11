import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import {
  findStartTime,
  isRunning,
  mayBeRunning,
  runsWithArgument,
  thisNodeProcess,
} from './process-identity.ts';

test('a process is told apart from a later one with its pid, and is gone once it has ended', async () => {
  const child = spawn('sleep', ['600.5'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const startedAt = findStartTime(pid) ?? '';
  assert.notEqual(startedAt, '');
  assert.equal(isRunning({ pid, started_at: startedAt }), true);
  assert.equal(isRunning({ pid, started_at: `${startedAt}0` }), false);
  assert.equal(runsWithArgument(pid, '600.5'), true);
  assert.equal(runsWithArgument(pid, '/some/cluster'), false);
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill();
  await exited;
  assert.equal(findStartTime(pid), undefined);
  assert.equal(runsWithArgument(pid, '600.5'), false);
});

test('a process that has exited and was not waited for yet is not running', async (t) => {
  const here = thisNodeProcess();
  if (here.machine === undefined) {
    t.skip('the system does not tell where a process runs');
    return;
  }
  // `exec` leaves the first sleep to a parent that never waits for it.
  const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  const process_start = findStartTime(pid)?.split('/')[1];
  const node = { machine: here.machine, pid, process_start };
  assert.ok(process_start);
  assert.equal(mayBeRunning(node, here), true);
  await waitFor(() => !mayBeRunning(node, here));
  assert.ok(process.kill(pid, 0), 'its PID is still taken');
  assert.equal(findStartTime(pid), undefined);
});
