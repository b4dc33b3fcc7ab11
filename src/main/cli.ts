import { existsSync } from 'node:fs';
import { runCommandLine } from './command-line.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const code = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
if (code !== 0) process.exitCode = code;
