import { ConnectionError, failureOf } from './problem.ts';
import {
  type BatchAnswer,
  type BatchResult,
  type NewMessage,
  type Operations,
  routes,
  type SendResult,
} from './operations.ts';
import { withRetries, type RetryPolicy } from './retry.ts';

export interface ClientOptions extends Partial<RetryPolicy> {
  /** Where the service is, such as `https://mail.example.com`. */
  base_url: string;
  api_key: string;
  /** The slug of the key's instance. With it, a key of another instance is refused. */
  instance?: string;
  /** How long to wait for an answer to begin; 30 s unless said. */
  timeout_ms?: number;
  /** Another `fetch`, such as one with an agent of its own. */
  fetch?: typeof fetch;
}

type Id = keyof Operations;
/** What an operation takes: `params`, `query` and `body`, as it has them. */
type Members<O> = Pick<O, keyof O & ('params' | 'query' | 'body')>;
/** A query without a required member can be left out. */
type Input<O> = O extends { query: infer Query }
  ? Partial<Query> extends Query
    ? Omit<Members<O>, 'query'> & { query?: Query }
    : Members<O>
  : Members<O>;
type Arguments<O> =
  Partial<Input<O>> extends Input<O>
    ? [input?: Input<O>, options?: CallOptions]
    : [input: Input<O>, options?: CallOptions];

type Listed<O> = O extends { result: { data: (infer Item)[]; pagination: object } } ? Item : never;
type ListId = { [Each in Id]: [Listed<Operations[Each]>] extends [never] ? never : Each }[Id];
type ExportId = { [Each in Id]: Operations[Each] extends { export: unknown } ? Each : never }[Id];
type CallId = Exclude<Id, ExportId>;

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * Of a send or a batch: names it, so that it is done once however often it is called, also by another process within 24 hours.
   * Without one the client makes one for each call.
   */
  idempotency_key?: string;
}

export interface BatchOptions extends CallOptions {
  /** What a mail that is refused does to the others: `skip` (the default) accepts them, `reject` refuses the batch. */
  on_error?: 'skip' | 'reject';
}

/** A file as it comes: read it in pieces. */
export interface ExportedFile {
  filename: string;
  content_type: string;
  body: ReadableStream<Uint8Array>;
}

type Value = string | number | boolean | null | undefined;
interface AnyInput {
  params?: Record<string, Value>;
  query?: Record<string, Value | Value[]>;
  body?: unknown;
}

export interface Client {
  /** Sends one message to up to 50 recipients. It is stored when this resolves. */
  send(mail: NewMessage, options?: CallOptions): Promise<SendResult>;
  /** Sends up to 500 messages with one call. The results are in the order of the mails. */
  sendBatch(mails: NewMessage[], options?: BatchOptions): Promise<BatchResult[]>;
  /** The `message_id` of a send, by the `custom_msg_id` that you gave it. */
  findSent(custom_msg_id: string, options?: CallOptions): Promise<string | undefined>;
  /** Any operation, by its name. */
  call<O extends CallId>(id: O, ...input: Arguments<Operations[O]>): Promise<ResultOf<O>>;
  /** All items of a list, page after page, asked for as you go. */
  list<O extends ListId>(id: O, ...input: Arguments<Operations[O]>): AsyncGenerator<Listed<Operations[O]>>;
  /** A file of any length. */
  export<O extends ExportId>(id: O, ...input: Arguments<Operations[O]>): Promise<ExportedFile>;
}
type ResultOf<O extends CallId> = Operations[O] extends { result: infer Result } ? Result : never;

export function createClient(options: ClientOptions): Client {
  const { timeout_ms = 30_000, attempts = 3, max_wait_ms = 10_000 } = options;
  const base = options.base_url.replace(/\/+$/, '');
  const doFetch = options.fetch ?? globalThis.fetch;

  async function request(
    id: Id,
    input: AnyInput,
    { signal, idempotency_key: key }: CallOptions,
  ): Promise<Response> {
    const [method = '', path = ''] = routes[id].split(' ');
    const { body } = input;
    const address = base + addressOf(path, input);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeout_ms);
    try {
      const response = await doFetch(address, {
        method,
        headers: {
          authorization: `Bearer ${options.api_key}`,
          ...(options.instance === undefined ? {} : { 'x-instance-slug': options.instance }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw await failureOf(response);
      return response;
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.signal.aborted)
        throw new ConnectionError(`No answer within ${timeout_ms} ms`, { cause: error });
      // What `fetch` throws when there is no answer.
      if (error instanceof TypeError) throw new ConnectionError(`No answer of ${base}`, { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function call(id: Id, input: AnyInput = {}, given: CallOptions = {}): Promise<unknown> {
    const each = keyed.has(id) ? { ...given, idempotency_key: given.idempotency_key ?? newKey() } : given;
    return await withRetries(routes[id], policy(each), async () => {
      const response = await request(id, input, each);
      return response.status === 204 ? undefined : await answerOf(response);
    });
  }

  const policy = ({ signal, idempotency_key }: CallOptions) => ({
    attempts,
    max_wait_ms,
    signal,
    is_keyed: idempotency_key !== undefined,
  });

  async function* list(id: Id, input: AnyInput = {}, each: CallOptions = {}): AsyncGenerator {
    const { page: first = 1, page_size = 100, ...filters } = input.query ?? {};
    for (let page = Number(first); ; page += 1) {
      const found = await call(id, { ...input, query: { ...filters, page, page_size } }, each);
      const { data, pagination } = found as { data: unknown[]; pagination: { has_more: boolean } };
      yield* data;
      if (!pagination.has_more) return;
    }
  }

  return {
    send: async (body, each) => (await call('send_mail', { body }, each)) as SendResult,
    async sendBatch(mails, { on_error = 'skip', ...each } = {}) {
      return ((await call('send_batch', { body: { mails, on_error } }, each)) as BatchAnswer).data;
    },
    async findSent(custom_msg_id, each) {
      const found = await call('list_mails', { query: { custom_msg_id, page_size: 1 } }, each);
      return (found as Operations['list_mails']['result']).data[0]?.msg_id ?? undefined;
    },
    call: call as Client['call'],
    list: list as Client['list'],
    export: async (id: Id, input: AnyInput = {}, each: CallOptions = {}) =>
      await withRetries(routes[id], policy(each), async () => fileOf(await request(id, input, each))),
  };
}

/** Operations that take a key. */
const keyed: ReadonlySet<Id> = new Set<Id>(['send_mail', 'send_batch']);

function newKey(): string {
  return crypto.randomUUID();
}

/** An answer can break off after its status. */
async function answerOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new ConnectionError('The answer broke off', { cause: error });
  }
}

function fileOf({ headers, body }: Response): ExportedFile {
  const [, filename = 'export'] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return { filename, content_type: headers.get('content-type') ?? '', body: body ?? new ReadableStream() };
}

function addressOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = String(params[name] ?? '');
    // They would lead to another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be '${value}'.`);
    return encodeURIComponent(value);
  });
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat())
      if (each !== undefined && each !== null) pairs.append(name, String(each));
  }
  return pairs.size === 0 ? filled : `${filled}?${pairs.toString()}`;
}
