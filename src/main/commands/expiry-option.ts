import { optional, type CommandInput } from '../command.ts';

/** The moment that `--expires` names; null without it. */
export function expiryOf(input: CommandInput): Date | null {
  const expires = optional(input, 'expires');
  if (expires === undefined) return null;
  const expires_at = new Date(expires);
  if (Number.isNaN(expires_at.getTime())) throw new Error(`--expires is not a date: ${expires}`);
  if (expires_at <= new Date()) throw new Error(`--expires is in the past: ${expires}`);
  return expires_at;
}
