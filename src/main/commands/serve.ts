import { readConfig } from '../../base/config.ts';
import { createLog } from '../../base/log.ts';
import { banner } from '../banner.ts';
import { optional, type Command } from '../command.ts';
import { readRoles, roleNames } from '../roles.ts';
import { startService, type Service } from '../service.ts';
import { withUsableDataDir } from '../store.ts';

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
    const log = createLog(config.log_level);
    const ending = Promise.withResolvers<string>();
    process.once('SIGTERM', () => ending.resolve('SIGTERM'));
    process.once('SIGINT', () => ending.resolve('SIGINT'));
    const lost = (reason: string): void => {
      log.fatal({ reason }, 'the embedded database ended');
      process.exitCode = 1;
      ending.resolve('lost database');
    };
    const service: Service = await startService({
      config,
      roles: readRoles(optional(input, 'roles')),
      log,
      on_lost: lost,
    });
    const { addresses, demo } = service;
    const ready = { base_url: addresses.base_url, metrics_url: addresses.metrics, ...(demo ? { demo } : {}) };
    process.stdout.write(input.options['json'] ? `${JSON.stringify(ready)}\n` : banner(service));
    const reason = await ending.promise;
    log.info({ reason }, 'stopping');
    await service.stop();
    log.info('stopped');
    return undefined;
  },
};
