import path from 'node:path';
import type { Config } from '../base/config.ts';
import { writeWholeFile } from '../base/write-whole-file.ts';
import type { Demo, DemoCredentials } from './provision.ts';

/** What the first start tells of the instance it made: its key and password, where they are, or only its name. */
export type ShownDemo = DemoCredentials | { slug: string; credentials_file?: string };

interface Audience {
  config: Pick<Config, 'print_credentials' | 'data_dir'>;
  is_terminal: boolean;
}

/**
 * Standard output that is no terminal ends up in a log that is kept and shared. There the credentials go into a file for
 * the user of the service alone, unless they were asked for.
 */
export async function showDemo(
  { slug, credentials }: Demo,
  { config, is_terminal }: Audience,
): Promise<ShownDemo> {
  if (credentials === undefined) return { slug };
  if (config.print_credentials || is_terminal) return credentials;
  const credentials_file = path.resolve(config.data_dir, 'first-credentials.json');
  await writeWholeFile(credentials_file, `${JSON.stringify(credentials, null, 2)}\n`);
  return { slug, credentials_file };
}
