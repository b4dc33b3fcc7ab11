import type { Caller } from '../base/http/access.ts';
import type { IdempotentCall } from '../base/http/operation.ts';
import type { KeyedCall } from './answer-once.ts';

/** The key of a request, in the instance of its caller. */
export function keyedCall(
  { caller, idempotent }: { caller: Caller; idempotent: IdempotentCall | undefined },
  operation: KeyedCall['operation'],
): KeyedCall | undefined {
  return idempotent && { ...idempotent, instance_id: caller.instance.id, operation };
}

export function replayHeaders(isReplay: boolean): Record<string, string> {
  return isReplay ? { 'idempotent-replayed': 'true' } : {};
}
