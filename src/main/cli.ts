import { existsSync } from 'node:fs';
import { runCommandLine } from './command-line.ts';

// Standard output that is closed or full fails the command, but does not cut it, or the service, short.
process.stdout.on('error', () => (process.exitCode = 1));
/** A reader that has seen enough, as `head`, needs no explanation. */
const complain = (error?: NodeJS.ErrnoException | null): void => {
  if (error && error.code !== 'EPIPE') process.stderr.write(`chasqui: ${error.message}\n`);
};

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
} catch (error) {
  process.stderr.write(`chasqui: The settings in .env cannot be read: ${(error as Error).message}\n`);
  process.exit(1);
}

const code = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text, complain),
  err: (text) => void process.stderr.write(text),
});
if (code !== 0) process.exitCode = code;
