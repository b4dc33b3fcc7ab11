import path from 'node:path';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import type { Demo, DemoCredentials } from './provision.ts';

/** What the first start tells of the instance it made: its key and password, where they are, or only its name. */
export type ShownDemo = DemoCredentials | { slug: string; credentials_file?: string };

interface Audience {
  config: Pick<Config, 'print_credentials' | 'data_dir'>;
  is_terminal: boolean;
  log: Log;
}

/**
 * Standard output that is not a terminal ends up in a log that is kept and shared. There the credentials go into a file for
 * only the user of the service, unless they were asked for.
 */
export async function showDemo(
  { slug, credentials }: Demo,
  { config, is_terminal, log }: Audience,
): Promise<ShownDemo> {
  if (credentials === undefined) return { slug };
  if (config.print_credentials || is_terminal) return credentials;
  const credentials_file = path.resolve(config.data_dir, 'first-credentials.json');
  try {
    await writeFileAtomic(credentials_file, `${JSON.stringify(credentials, null, 2)}\n`);
    return { slug, credentials_file };
  } catch (error) {
    // The service runs all the same: a command makes another key.
    log.warn({ err: error }, 'the credentials of the demo could not be written and are lost');
    return { slug };
  }
}
