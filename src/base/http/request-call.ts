import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Violation } from '../errors/problem.ts';
import type { Caller, OperatorCaller } from './access.ts';
import type { FormFile } from './multipart.ts';
import type { CallContext, IdempotentCall } from './operation.ts';

/** What an operation is called with, once it is validated. */
export interface Input {
  params: unknown;
  query: unknown;
  body: unknown;
  files: FormFile[];
  idempotent?: IdempotentCall | undefined;
}

/** A call of an operation by a request, whichever way its input was read. */
export class RequestCall implements CallContext {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #abort: AbortController | undefined;
  readonly request_id: string;
  readonly trace_id: string;
  readonly address: string;
  readonly caller: Caller | OperatorCaller | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly files: FormFile[];
  readonly idempotent: IdempotentCall | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, input: Input) {
    const { params, query, body, files, idempotent } = input;
    this.#request = request;
    this.#reply = reply;
    this.request_id = request.id;
    this.trace_id = request.trace_id;
    this.address = request.ip;
    this.caller = request.caller;
    this.params = params;
    this.query = query;
    this.body = body;
    this.files = files;
    this.idempotent = idempotent;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Made on demand: most operations are over before anyone could go away. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.#reply.raw.once(
        'close',
        () => (this.#request.raw.complete && this.#reply.raw.writableEnded) || abort.abort(),
      );
    }
    return this.#abort.signal;
  }
}

/** Two validators can find the same. */
export function distinctViolations(violations: Violation[]): Violation[] {
  const seen = new Set<string>();
  return violations.filter(({ pointer, code }) => {
    const key = `${pointer} ${code}`;
    return !seen.has(key) && seen.add(key);
  });
}
