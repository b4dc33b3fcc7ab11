import type { Entry, Request } from '../history.ts';
import type { RandomNode, Stage } from '../stage.ts';

/** One request to one node, as it is noted. */
export interface Call {
  id: string;
  kind: string;
  node: RandomNode;
  request: Request;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** JSON, or a form of a web page. */
  body?: object | URLSearchParams;
  headers?: Record<string, string>;
  /** The client is gone after that. */
  leaves_after_ms?: number | undefined;
}

const answerWithinMs = 20_000;

/** Asks, and notes what was asked and answered. Redirects are answers. */
export async function call(stage: Stage, asked: Call): Promise<Entry> {
  const { method, path, leaves_after_ms = answerWithinMs, node } = asked;
  return await noted(stage, asked, async () => {
    const response = await fetch(`${node.base_url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headersOf(stage, asked), ...asked.headers },
      ...(asked.body === undefined ? {} : { body: bodyOf(asked.body) }),
      signal: AbortSignal.timeout(leaves_after_ms),
    });
    const text = await response.text();
    const answer = /json/.test(response.headers.get('content-type') ?? '')
      ? (JSON.parse(text) as Record<string, unknown>)
      : { location: response.headers.get('location'), ...replayed(response) };
    const { status } = response;
    return { status, answer: { ...answer, ...replayed(response) }, isAcknowledged: status < 400 };
  });
}

function replayed({ headers }: Response): Record<string, unknown> {
  return headers.get('idempotent-replayed') === 'true' ? { is_replayed: true } : {};
}

interface Answer {
  status: number;
  answer: Record<string, unknown>;
  isAcknowledged: boolean;
}

/** Without an answer its outcome is unknown. */
export async function noted(
  { history }: Stage,
  { id, kind, node, request }: Pick<Call, 'id' | 'kind' | 'node' | 'request'>,
  ask: () => Promise<Answer>,
): Promise<Entry> {
  const entry: Entry = {
    id,
    kind,
    request,
    node: node.name,
    began_at: Date.now(),
    ended_at: Infinity,
    outcome: 'unanswered',
    status: 0,
    reply: 'no answer yet',
    answer: {},
  };
  history.entries.push(entry);
  try {
    const { status, answer, isAcknowledged } = await ask();
    const outcome = isAcknowledged ? 'acknowledged' : 'refused';
    Object.assign(entry, { outcome, status, answer, reply: codeOf(answer) });
  } catch (error) {
    entry.reply = describeError(error as Error);
  }
  entry.ended_at = Date.now();
  return entry;
}

function codeOf({ code }: Record<string, unknown>): string {
  return typeof code === 'string' ? code : '';
}

function describeError({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function headersOf({ account }: Stage, { path, body }: Call): Record<string, string> {
  const type =
    body === undefined || body instanceof URLSearchParams ? {} : { 'content-type': 'application/json' };
  if (!path.startsWith('/v1/')) return type;
  return { ...type, authorization: `Bearer ${account.api_key}`, 'x-instance-slug': account.slug };
}

function bodyOf(body: object | URLSearchParams): string | URLSearchParams {
  return body instanceof URLSearchParams ? body : JSON.stringify(body);
}
