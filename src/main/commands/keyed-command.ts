import type { KeyedCall } from '../../accept/answer-once.ts';
import { digestOf } from '../../base/digest.ts';
import { isIdempotencyKey } from '../../base/http/idempotency-key.ts';
import { optional, type CommandInput } from '../command.ts';

/** The call of a command that was given a key. */
export function keyedCommand(
  input: CommandInput,
  { instance_id, operation, content }: Pick<KeyedCall, 'instance_id' | 'operation'> & { content: string },
): KeyedCall | undefined {
  const key = optional(input, 'idempotency-key');
  if (key === undefined) return undefined;
  if (!isIdempotencyKey(key)) throw new Error('--idempotency-key takes 1 to 256 visible ASCII characters.');
  return { instance_id, operation, key, body_digest: digestOf(content) };
}
