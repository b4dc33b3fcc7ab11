import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Violation } from '../errors/problem.ts';
import type { AccountCaller, Access, Caller, Demand, OperatorCaller } from './access.ts';
import type { FormFile } from './multipart.ts';

/** A call that its caller names, in order to repeat it without doing its work twice. */
export interface IdempotentCall {
  key: string;
  body_digest: string;
}

/** The part of a call that every operation can use besides its validated input. */
export interface CallContext {
  request_id: string;
  trace_id: string;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  address: string;
  header(name: string): string | undefined;
  /** Files of a multipart body, where the operation takes one. */
  files: FormFile[];
  /** Of an operation that takes an Idempotency-Key, when it has one. */
  idempotent: IdempotentCall | undefined;
}

/** A result that also sets headers of the answer, such as a cookie. */
export class Reply<Body> {
  readonly body: Body;
  readonly headers: Record<string, string | string[]>;

  constructor(body: Body, headers: Record<string, string | string[]>) {
    this.body = body;
    this.headers = headers;
  }
}

/**
 * A result that is sent as it comes, to be saved as a file. It is opened when its content is requested, which a HEAD
 * does not.
 */
export class Download {
  readonly content_type: string;
  readonly file_name: string;
  readonly open: () => Promise<Readable>;

  constructor({ content_type, file_name, open }: Pick<Download, 'content_type' | 'file_name' | 'open'>) {
    this.content_type = content_type;
    this.file_name = file_name;
    this.open = open;
  }
}

/** A result for a person with a browser. */
export class HtmlPage {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** A result that goes on until either side ends it, as server-sent events. */
export class EventStream {
  readonly open: () => Promise<Readable>;

  constructor(open: () => Promise<Readable>) {
    this.open = open;
  }
}

type CallerOf<Access_> = Access_ extends { kind: 'open' }
  ? undefined
  : Access_ extends { kind: 'account' }
    ? AccountCaller
    : Access_ extends { kind: 'operator' }
      ? OperatorCaller
      : Caller;

type Input<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

export interface Call<Params, Query, Body, Access_> extends CallContext {
  caller: CallerOf<Access_>;
  params: Input<Params>;
  query: Input<Query>;
  body: Input<Body>;
}

export interface Success {
  status: 200 | 201 | 204;
  description: string;
  schema?: TSchema;
  example?: unknown;
  /** Other media types that it can be asked for in, with an example of each. */
  also?: Record<string, { schema: TSchema; example?: unknown }>;
  /** It has an ETag, and is 304 to who sends that back. */
  is_static?: true;
}

/**
 * One operation of the API, as a value: everything that the router, the validator, the OpenAPI document, the tests
 * that walk all routes and the MCP tools need to know about it stands here and nowhere else.
 */
export interface Operation {
  /** `list_fields`: the operationId, also the label in logs and metrics. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As OpenAPI writes it: `/v1/fields/{id}`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  access: Access;
  /** Members may call it while their instance is disabled, though it changes something. */
  while_disabled?: true;
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  body_example?: unknown;
  /** Further ones, by what they show. */
  more_body_examples?: Record<string, { summary: string; value: unknown }>;
  /** What of the body is validated before the handler, where the handler reads the rest, texts included, item by item. */
  checked_body?: TSchema;
  /** How many times the usual number of JSON values a body may be made of. */
  json_values_factor?: number;
  /**
   * Rules beyond the schema, asked about a body that the schema refuses, so that all mistakes are told at once; the
   * handler validates what the schema lets pass.
   */
  validate?: (body: unknown, files: FormFile[]) => Violation[];
  max_body_bytes?: number;
  /** Also takes the body as multipart/form-data, with files in this one field. */
  multipart?: { file_field: string; max_file_bytes: number };
  /** Takes an Idempotency-Key: its handler gives a repeated call the first answer. */
  is_repeatable?: true;
  success: Success;
  /** What cannot be decoded is told as 422 like every other mistake (contract §11: domains never answer 400). */
  never_bad_request?: true;
  /** The path of what was created, for a 201; `{id}` is filled in from the result. */
  location?: string;
  /** Codes beyond those that every operation of its kind can give. */
  errors: ErrorCode[];
  handle: (call: never) => Promise<unknown>;
}

interface TypedOperation<Params, Query, Body, A, Result> extends Omit<
  Operation,
  'params' | 'query' | 'body' | 'access' | 'handle'
> {
  access: A;
  params?: Params;
  query?: Query;
  body?: Body;
  handle: (call: Call<Params, Query, Body, A>) => Promise<Result>;
}

/** Ties the handler's types to the schemas it declares. */
export function operation<
  const A extends Access,
  Result,
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(definition: TypedOperation<Params, Query, Body, A, Result>): Operation {
  return definition as Operation;
}

/** What the operation demands of its caller, unless it is open to everyone. */
export function demandOf(demanding: Operation): Demand | undefined {
  const { access } = demanding;
  if (access.kind === 'open') return undefined;
  return access.kind === 'user' ? { ...access, changes: isRefusedWhileDisabled(demanding) } : access;
}

/** A disabled instance is read-only for its members. */
export function isRefusedWhileDisabled({ access, method, while_disabled }: Operation): boolean {
  return access.kind === 'user' && method !== 'GET' && while_disabled !== true;
}
