import { setTimeout as delay } from 'node:timers/promises';
import { readConfig, readLogSettings, type Config } from '../../base/config.ts';
import { createLog, type Log } from '../../base/log.ts';
import { banner, firstStartLine, statusLine } from '../banner.ts';
import { optional, type Command, type CommandInput } from '../command.ts';
import { explainFailure, LoggedFailure } from '../failure.ts';
import { openLogOutput, type LogOutput } from '../log-output.ts';
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

interface Serving {
  config: Config;
  output: LogOutput;
  log: Log;
}

/** A collector reads one JSON object a line, also of what Node itself would write as text. */
function logWarnings(log: Log): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node warns'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an unexpected error ends the process');
    process.exit(1);
  });
}

/** The last words of a process that cannot go on. */
function lastWords(output: LogOutput, reason: string, fields = {}): void {
  if (output.is_for_people) process.stderr.write(`chasqui: ${reason}\n`);
  // Whatever level was asked for.
  else createLog('fatal', output).fatal(fields, reason);
}

/** A stop that comes before the service is ready. */
async function giveUp({ config, output }: Serving, signal: string, isReady: () => boolean): Promise<void> {
  // What a start waits for, as another node's migration, may take as long as it likes.
  await delay(config.stop_timeout_ms, undefined, { ref: false });
  if (isReady()) return;
  lastWords(output, `Stopped by ${signal} before it was ready.`);
  process.exit(1);
}

/** The key of the first start is the last that is written, where a person sees it. */
async function announce(service: Service, { config, output, log }: Serving, json: boolean): Promise<void> {
  const is_terminal = process.stdout.isTTY;
  const demo = service.demo && (await showDemo(service.demo, { config, is_terminal, log }));
  if (demo && !('api_key' in demo) && !is_terminal) log.info(demo, firstStartLine(demo));
  await output.flushed();
  const asks = json || (demo !== undefined && 'api_key' in demo);
  if (is_terminal && !json) process.stdout.write(banner(service, demo));
  else if (asks) process.stdout.write(`${JSON.stringify(ready(service, demo))}\n`);
}

async function runService(input: CommandInput, output: LogOutput): Promise<void> {
  const config = withUsableDataDir(readConfig(input.env));
  const log = createLog(config.log_level, output);
  const serving: Serving = { config, output, log };
  if (!output.is_for_people) logWarnings(log);
  const ending = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) onSignal(signal, ending.resolve);
  const lost = (reason: string): void => {
    lastWords(output, reason);
    // Nothing that is under way could be finished.
    process.exit(1);
  };
  let isReady = false;
  void ending.promise.then(async (signal) => await giveUp(serving, signal, () => isReady));
  // Other commands, and their help, start without it.
  const { startService } = await import('../service.ts');
  const roles = readRoles(optional(input, 'roles'));
  const service: Service = await startService({ config, roles, log, on_lost: lost });
  isReady = true;
  log.info({ version: readVersion(), roles, pid: process.pid }, statusLine(service, roles));
  await announce(service, serving, input.options['json'] === true);
  const reason = await ending.promise;
  log.info({ reason }, 'stopping');
  // Ctrl-C comes from a person, who has no load balancer to wait for.
  await service.stop(reason === 'SIGTERM' ? config.shutdown_delay_ms : 0);
  log.info('stopped');
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
    const output = openLogOutput(readLogSettings(input.env));
    try {
      await runService(input, output);
    } catch (error) {
      if (output.is_for_people) throw error;
      const fields = input.env['CHASQUI_DEBUG'] ? { err: error } : {};
      lastWords(output, explainFailure(error as Error), fields);
      throw new LoggedFailure(undefined, { cause: error });
    }
    return undefined;
  },
};
