import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const graceMs = 5_000;
const longestHooksMs = 30_000;
const interval_ms = 250;
const [, file = ''] = process.argv;
const isTestFile = isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined;
if (isTestFile && /\.test\.m?[jt]s$/.test(file)) after(endWhenIdle);

/**
 * Preloaded into the processes of tests. Ends the process of a file whose tests are over when something that it left open
 * keeps it alive, and names what it is: without this the run waits for it until its time limit. Hooks of the file may
 * still run when this begins: they open and close things, so the process ends when nothing was for a while.
 */
function endWhenIdle(): void {
  const began = Date.now();
  let changed = began;
  let seen = '';
  const look = (): void => {
    const resources = process.getActiveResourcesInfo().sort().join(', ');
    if (resources !== seen) changed = Date.now();
    seen = resources;
    if (Date.now() - changed < graceMs && Date.now() - began < longestHooksMs) return;
    process.stderr.write(`${file} did not end by itself; kept alive by: ${resources}\n`);
    process.exit();
  };
  setInterval(look, interval_ms).unref();
}
