import { digestOf } from '../base/digest.ts';
import { Problem } from '../base/errors/problem.ts';
import type { IdempotentCall } from '../base/http/operation.ts';
import {
  type CallKey,
  type FindKeptAnswer,
  type KeptAnswer,
  type NewKeptAnswer,
  nameOf,
} from '../mails/index.ts';

/** A call that its caller may repeat. Keys of different operations have nothing to do with each other. */
export interface KeyedCall extends IdempotentCall {
  instance_id: number;
  /** Calls of other services' clients by the path that they name. */
  operation: 'send' | 'batch' | 'submission' | 'forward' | `${'resend' | 'postmark' | 'sendgrid'} /${string}`;
}

/** Makes the row of an answer, to be committed with what it tells of. */
export type KeepAnswer = (answer: unknown, has_errors: boolean) => NewKeptAnswer;

/** Thrown when another call with the same key was committed first: nothing of this one is stored. */
export class KeyTaken extends Error {}

export interface AnswerOnce {
  /** Runs `accept` unless the key has its answer. Without a call to repeat, `accept` keeps nothing. */
  <Answer>(
    call: KeyedCall | undefined,
    accept: (keep?: KeepAnswer) => Promise<Answer>,
  ): Promise<{ answer: Answer; is_replay: boolean }>;
}

/**
 * The unique key of the stored answers decides between two calls, wherever they are handled. The map only spares the second
 * call in one process the work, and answers it while the first one is under way.
 */
export function createAnswerOnce(find: FindKeptAnswer): AnswerOnce {
  const underWay = new Map<string, string>();

  async function first<Answer>(
    key: CallKey,
    body_digest: string,
    accept: (keep?: KeepAnswer) => Promise<Answer>,
  ): Promise<{ answer: Answer; is_replay: boolean }> {
    const kept = await find(key);
    if (kept) return { answer: replay(kept, body_digest) as Answer, is_replay: true };
    try {
      const keep: KeepAnswer = (answer, has_errors) => ({
        ...key,
        body_digest,
        answer: JSON.stringify(answer),
        has_errors,
      });
      return { answer: await accept(keep), is_replay: false };
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
      const winner = await find(key);
      if (!winner) throw inProgress();
      return { answer: replay(winner, body_digest) as Answer, is_replay: true };
    }
  }

  return async (call, accept) => {
    if (!call) return { answer: await accept(), is_replay: false };
    const { instance_id, operation, key: given, body_digest } = call;
    const key = { instance_id, key_digest: digestOf(operation, ' ', given) };
    const name = nameOf(key);
    const other = underWay.get(name);
    if (other !== undefined)
      throw other === body_digest ? inProgress() : new Problem('idempotency_key_reused');
    underWay.set(name, body_digest);
    try {
      return await first(key, body_digest, accept);
    } finally {
      underWay.delete(name);
    }
  };
}

function replay(kept: KeptAnswer, body_digest: string): unknown {
  if (kept.body_digest !== body_digest) throw new Problem('idempotency_key_reused');
  return JSON.parse(kept.answer);
}

function inProgress(): Problem {
  return new Problem('idempotency_in_progress', { retry_after_seconds: 1 });
}
