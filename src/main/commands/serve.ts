import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../base/config.ts';
import { createLog } from '../../base/log.ts';
import { banner, statusLine } from '../banner.ts';
import { optional, type Command } from '../command.ts';
import { openLogOutput } from '../log-output.ts';
import { readRoles, roleNames } from '../roles.ts';
import { showDemo, type ShownDemo } from '../shown-demo.ts';
import type { Service } from '../service.ts';
import { withUsableDataDir } from '../store.ts';
import { readVersion } from '../version.ts';

/** A terminal's Ctrl-C comes twice through `bin/chasqui`, so only one that comes later means: at once. */
const impatientAfterMs = 1_000;

function onSignal(signal: NodeJS.Signals, stop: (signal: string) => void): void {
  let first: number | undefined;
  process.on(signal, () => {
    first ??= performance.now();
    // The embedded database sees the end of this process and ends itself, in good order.
    if (performance.now() - first > impatientAfterMs) process.exit(1);
    stop(signal);
  });
}

function ready({ addresses, description }: Service, demo: ShownDemo | undefined): Record<string, unknown> {
  const { metrics, ...rest } = addresses;
  return {
    pid: process.pid,
    ...rest,
    metrics_url: metrics,
    database: description,
    ...(demo ? { demo } : {}),
  };
}

export const serve: Command = {
  name: 'serve',
  arguments: '[--roles …]',
  summary: 'Runs the service until it is told to stop (SIGTERM or Ctrl-C).',
  options: {
    roles: {
      type: 'string',
      about: `What this process does: a comma list of ${roleNames.join(', ')} (default all).`,
    },
  },
  example: 'chasqui serve --roles api',
  async run(input) {
    const config = withUsableDataDir(readConfig(input.env));
    const output = openLogOutput(config);
    const log = createLog(config.log_level, output);
    const ending = Promise.withResolvers<string>();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) onSignal(signal, ending.resolve);
    const lost = (reason: string): void => {
      output.release();
      log.fatal({ reason }, 'the embedded database ended');
      process.stderr.write(`chasqui: ${reason}\n`);
      // Nothing that is under way could be finished.
      process.exit(1);
    };
    let isReady = false;
    void ending.promise.then(async (signal) => {
      // What a start waits for, as another node's migration, may take as long as it likes.
      await delay(config.stop_timeout_ms, undefined, { ref: false });
      if (isReady) return;
      output.release();
      process.stderr.write(`chasqui: Stopped by ${signal} before it was ready.\n`);
      process.exit(1);
    });
    // Other commands, and their help, start without it.
    const { startService } = await import('../service.ts');
    const roles = readRoles(optional(input, 'roles'));
    const service: Service = await startService({ config, roles, log, on_lost: lost }).catch(
      (error: unknown) => {
        output.release();
        throw error;
      },
    );
    isReady = true;
    const is_terminal = process.stdout.isTTY;
    const demo = service.demo && (await showDemo(service.demo, { config, is_terminal, log }));
    const shown = input.options['json'] ? `${JSON.stringify(ready(service, demo))}\n` : banner(service, demo);
    process.stdout.write(shown);
    output.release();
    log.info({ version: readVersion(), roles, pid: process.pid }, statusLine(service, roles));
    const reason = await ending.promise;
    log.info({ reason }, 'stopping');
    // Ctrl-C comes from a person, who has no load balancer to wait for.
    await service.stop(reason === 'SIGTERM' ? config.shutdown_delay_ms : 0);
    log.info('stopped');
    return undefined;
  },
};
