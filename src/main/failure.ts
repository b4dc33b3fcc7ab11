import { problemFromError } from '../base/errors/from-error.ts';

/** A failure that is in the log, which the command line does not repeat. */
export class LoggedFailure extends Error {}

/** What an operator reads when a command fails. */
export function explainFailure(error: Error): string {
  const problem = problemFromError(error);
  if (problem && problem.code !== 'service_unavailable') {
    const details = problem.facts.errors?.map(({ message }) => message) ?? [problem.message];
    return `${details.join('; ')} (${problem.code})`;
  }
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `${address}:${port} is in use by another process: stop it or choose another port.`;
  }
  return error.message;
}
