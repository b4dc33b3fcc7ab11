import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { compile, hasProgram } from './compile.ts';

/** Where all mail of the benchmarks goes: another address of loopback than what is measured. */
export const sinkHost = '127.0.0.2';

export interface Sink {
  /** When the last message was in, as `performance.now()` tells it. */
  full: Promise<number>;
  stop(): Promise<void>;
}

/** Takes and forgets mail, ten times as fast as anything that delivers it, and ends after so many. */
export async function startSink(port: number, messages: number): Promise<Sink> {
  const { child, remove } = await spawnSink(port, messages);
  const full = once(child, 'exit').then(() => performance.now());
  await untilListening(port);
  return {
    full,
    async stop() {
      child.kill();
      await full;
      await remove();
    },
  };
}

async function spawnSink(
  port: number,
  messages: number,
): Promise<{ child: ChildProcess; remove: () => Promise<void> }> {
  if (hasProgram('smtp-sink')) {
    const privileges = process.getuid?.() === 0 ? ['-u', 'postfix'] : [];
    const args = [...privileges, '-M', String(messages), `${sinkHost}:${port}`, '1000'];
    return { child: spawn('smtp-sink', args, { stdio: 'ignore' }), remove: async () => undefined };
  }
  const program = await compile('smtp-sink.c');
  const args = [sinkHost, String(port), String(messages)];
  return {
    child: spawn(program.file, args, { stdio: 'inherit' }),
    remove: async () => await program.remove(),
  };
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = connect(port, sinkHost);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await delay(25);
  }
  throw new Error(`smtp-sink does not listen at ${sinkHost}:${port}`);
}
