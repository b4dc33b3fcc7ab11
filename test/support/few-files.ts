import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** Runs the text of a module in a process that may have few files open; gives what it prints. */
export async function runWithFewFiles(module: string): Promise<string> {
  const command = 'ulimit -n 128 && exec "$0" --input-type=module --eval "$1"';
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, module]);
  return stdout;
}

/** Opens all files that the process may have; what is returned closes them. */
export function takeAllFiles(): () => void {
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
  return () => files.forEach((file) => closeSync(file));
}
