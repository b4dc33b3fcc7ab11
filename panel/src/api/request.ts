import { language } from './language.ts';
import { routes, type Operations } from './operations.ts';
import { connection, reportOutage } from './connection.ts';
import { ApiProblem, problemOf } from './problem.ts';

/** What the panel may call: all but the operations of API keys. */
export type OperationId = keyof typeof routes;

type Part<Operation, Name extends string> = Name extends keyof Operation
  ? object extends Operation[Name]
    ? { [name in Name]?: Operation[Name] }
    : { [name in Name]: Operation[Name] }
  : unknown;

/** The path's parameters, the query and the body, where the operation has them. */
export type Input<Id extends OperationId> = Part<Operations[Id], 'params'> &
  Part<Operations[Id], 'query'> &
  Part<Operations[Id], 'body'>;

export type Result<Id extends OperationId> = Exclude<Operations[Id]['result'], Blob>;

type Scalar = string | number | boolean;

interface LooseInput {
  params?: Record<string, Scalar>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Sends one request as it is; an answer other than a success is thrown. */
export async function send(id: OperationId, input: LooseInput, options: RequestOptions): Promise<Response> {
  const [method] = routes[id];
  const isForm = input.body instanceof FormData;
  const response = await fetch(addressOf(id, input), {
    method,
    headers: {
      // Explanations come in the reader's language.
      'accept-language': language.get(),
      ...options.headers,
      ...(input.body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? (input.body as FormData) : input.body === undefined ? null : JSON.stringify(input.body),
    signal: options.signal ?? null,
    cache: 'no-store',
  }).catch((error: unknown) => {
    if ((error as Error).name === 'AbortError') throw error;
    void reportOutage('offline');
    throw new ApiProblem({});
  });
  if (response.ok) {
    connection.set('online');
    return response;
  }
  const problem = await problemOf(response);
  if (problem.is_outage && problem.retry_after_seconds === undefined) void reportOutage('unavailable');
  throw problem;
}

/** The path with its parameters filled in, and the query without what is empty. */
export function addressOf(id: OperationId, { params = {}, query = {} }: LooseInput): string {
  const path = routes[id][1].replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const each of [value].flat() as Scalar[]) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
