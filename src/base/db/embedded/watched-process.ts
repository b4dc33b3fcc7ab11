import { spawn } from 'node:child_process';
import { childEnv } from '../../processes/process-identity.ts';
import type { ServerUser } from './server-user.ts';

const logTail = 20_000;
/** Its last words may arrive after its end, but a surviving backend may hold the log open for longer. */
const lastWordsMs = 300;

/**
 * Runs "$@" and ends it when standard input closes, which the kernel does for us however Node dies: measured
 * 25–180 ms after kill -9. One shell waits for the program and reports its status; the other waits for the
 * pipe, and repeats the signal because a program that has only just begun does not listen yet. systemd sends
 * SIGTERM to a whole service, so the shells ignore it. SIGUSR1 to the group, which `detached` made only ours,
 * takes the second shell and its sleep along.
 */
const watchdog = `
trap "" INT TERM HUP
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
(
  while read -r line; do :; done <&3
  while kill -INT $program; do sleep 1; done
) 2>/dev/null &
exec 3<&- </dev/null
wait $program
status=$?
trap : USR1
kill -USR1 0
exit $status
`;

export interface WatchedProcess {
  /** Settles with a description of the end, never rejects. */
  ended: Promise<{ succeeded: boolean; how: string }>;
  hasEnded: () => boolean;
  /** The last 20 KB of standard error. */
  log: () => string;
  /** Closes the pipe: the program gets SIGINT. */
  interrupt: () => void;
}

export interface Program {
  command: readonly string[];
  user: ServerUser;
  env?: Record<string, string>;
}

export function startWatched({ command, user, env }: Program): WatchedProcess {
  const child = spawn('/bin/sh', ['-c', watchdog, 'chasqui-watchdog', ...user.prefix, ...command], {
    ...user.spawn,
    cwd: '/',
    env: { ...childEnv, ...env },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let tail = '';
  let hasEnded = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-logTail);
  });
  child.stdin.on('error', () => {}); // nothing is written: only the closing of the pipe counts
  const ended = new Promise<{ succeeded: boolean; how: string }>((resolve) => {
    const finish = (succeeded: boolean, how: string): void => {
      hasEnded = true;
      child.stdin.destroy();
      resolve({ succeeded, how });
    };
    child.once('error', (error) => finish(false, error.message));
    child.once('exit', (code, signal) => {
      const finishNow = (): void => finish(code === 0, describeExit(code, signal));
      const timer = setTimeout(finishNow, lastWordsMs);
      child.once('close', () => {
        clearTimeout(timer);
        finishNow();
      });
    });
  });
  return { ended, hasEnded: () => hasEnded, log: () => tail, interrupt: () => child.stdin.end() };
}

/** A shell reports a child that died by signal n as 128 + n. */
function describeExit(code: number | null, signal: string | null): string {
  if (code === null) return `watchdog ended by ${signal}`;
  return code > 128 ? `ended by signal ${code - 128}` : `exit code ${code}`;
}
