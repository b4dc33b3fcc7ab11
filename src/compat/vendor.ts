import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../base/errors/problem.ts';
import type { Caller, Scope } from '../base/http/access.ts';
import type { IdempotentCall } from '../base/http/operation.ts';

export type VendorName = 'resend' | 'postmark' | 'sendgrid';

/** A call in the form of another service, by one of our API keys. */
export interface VendorCall {
  caller: Caller;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** JSON whose texts can be stored. */
  body: unknown;
  address: string;
  request_id: string;
  trace_id: string;
  idempotent: IdempotentCall | undefined;
  header(name: string): string | undefined;
}

export interface VendorAnswer {
  status: number;
  /** JSON; nothing when absent. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A route of another service. Results are answered with 200, unless they are an `Answer`. */
export interface VendorRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As their documentation has it: `/emails/:id`. */
  path: string;
  scope: Scope;
  /** Takes a JSON body of at most so many bytes. */
  max_body_bytes?: number;
  /** Times the JSON values of a single send. */
  json_values_factor?: number;
  /** Numbers in lists, beside those values. */
  json_numbers?: number;
  is_repeatable?: true;
  handle: (call: VendorCall) => Promise<unknown>;
}

export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor({ status, body, headers = {} }: VendorAnswer) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Another service: its routes, where it takes the credential from, and how it tells of refusals. */
export interface Vendor {
  name: VendorName;
  routes: VendorRoute[];
  /** The API key in a request. */
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  /** First segments of their paths that are served nowhere here, and what is missing. */
  missing: Readonly<Record<string, string>>;
  /** What can be read, and is changed elsewhere. */
  changes: Readonly<Record<string, string>>;
  refuse(problem: Problem, context: RefusalContext): VendorAnswer;
  /** What our own code is called in a refusal, where a client reads something else from `code`. */
  code_member?: string;
}

export interface RefusalContext {
  /** Whether the request had a credential at all. */
  has_key: boolean;
  trace_id: string;
}
