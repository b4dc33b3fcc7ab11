import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { readConfig, type Environment } from '../../src/base/config.ts';
import { runCommandLine } from '../../src/main/command-line.ts';
import { readRoles } from '../../src/main/roles.ts';

export interface Commands {
  url: string;
  run(words: string[]): Promise<{ code: 0 | 1; printed: string }>;
  stop(): void;
}

/**
 * Runs commands of the command line for shells, in this process: starting one for each takes seconds. What would start
 * another service has its settings and roles read, and no more.
 */
export async function serveCommands(envOf: (words: string[]) => Promise<Environment>): Promise<Commands> {
  const run: Commands['run'] = async (words) => {
    let printed = '';
    const take = (text: string): void => void (printed += text);
    const code = await runCommandLine(words, { env: await envOf(words), out: take, err: take });
    return { code, printed };
  };
  const server = createServer((request, response) => {
    void (async () => {
      const words = (await buffer(request)).toString().split('\0').slice(0, -1);
      try {
        if (request.url === '/start') response.end(readSettings(words));
        else {
          const { code, printed } = await run(words);
          response.writeHead(code === 0 ? 200 : 500).end(printed);
        }
      } catch (error) {
        response.writeHead(500).end((error as Error).message);
      }
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, run, stop: () => server.close().closeAllConnections() };
}

/** `NAME=value` words are the environment; the roles follow `--roles`. */
function readSettings(words: string[]): string {
  const env = Object.fromEntries(
    words
      .filter((word) => /^(?:CHASQUI_\w+|DATABASE_URL)=/.test(word))
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  const { base_url } = readConfig(env);
  const roles = words.includes('--roles') ? words[words.indexOf('--roles') + 1] : undefined;
  return `${readRoles(roles).join(',')} at ${base_url}`;
}

export interface Shell {
  /** What the lines printed; throws when one of them fails. */
  run(lines: string): Promise<string>;
  stop(): Promise<void>;
}

const end = 'END OF BLOCK';

/**
 * A shell that a reader types into: what one block defines, the next one has. A reader ends what never ends: a stream
 * that is read with `curl -N`, and a measurement of OpenSSL.
 */
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
for_a_while() { local code=0; timeout "$@" || code=$?; [ $code = 124 ]; }
curl() {
  if [ "$1" = -N ]; then for_a_while 1 curl -sS --fail-with-body "$@"; return; fi
  command curl -sS --fail-with-body "$@"
}
openssl() {
  if [ "$1" = speed ]; then for_a_while 0.3 openssl "$@"; return; fi
  command openssl "$@"
}
chasqui() {
  if [ "$1" = serve ]; then start "$@"; return; fi
  printf '%s\\0' "$@" | command curl -sS --fail-with-body --data-binary @- ${commands_url}
}
start() { { env -0; printf '%s\\0' "$@"; } | command curl -sS --fail-with-body --data-binary @- ${commands_url}start; }
npx() { [ "$1" = chasqui ]; "$@"; }
npm() { [ "$*" = start ]; start; }
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
