import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Environment } from '../../src/base/config.ts';
import { runCommandLine } from '../../src/main/command-line.ts';

/** Runs commands of the command line for shells, in this process: starting one for each takes seconds. */
export async function serveCommands(env: Environment): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const words = (await buffer(request)).toString().split('\0').slice(0, -1);
      let printed = '';
      const take = (text: string): void => void (printed += text);
      const code = await runCommandLine(words, { env, out: take, err: take });
      response.writeHead(code === 0 ? 200 : 500).end(printed);
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, stop: () => server.close().closeAllConnections() };
}

export interface Shell {
  /** What the lines printed; throws when one of them fails. */
  run(lines: string): Promise<string>;
  stop(): Promise<void>;
}

const end = 'END OF BLOCK';

/** A shell that a reader types into: what one block defines, the next one has. */
export function openShell({ cwd, commands_url }: { cwd: string; commands_url: string }): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  const waiting = new Set<() => void>();
  const take = (text: Buffer): void => {
    printed += text.toString();
    for (const look of waiting) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  child.on('exit', () => take(Buffer.from('')));
  child.stdin.write(`set -e -o pipefail
curl() { command curl -sS --fail-with-body "$@"; }
npx() { [ "$1" = chasqui ]; shift; printf '%s\\0' "$@" | command curl -sS --fail-with-body --data-binary @- ${commands_url}; }
`);
  return {
    async run(lines) {
      printed = '';
      child.stdin.write(`${lines}\necho; echo '${end}'\n`);
      const ended = Promise.withResolvers<void>();
      const look = (): void => {
        if (printed.includes(end) || child.exitCode !== null) ended.resolve();
      };
      waiting.add(look);
      look();
      await ended.promise;
      waiting.delete(look);
      if (!printed.includes(end)) throw new Error(`${lines}\n→ ${printed}`);
      return printed.replace(end, '').trim();
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
