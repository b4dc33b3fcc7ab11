/** One step of the way of a mail, as OpenTelemetry has it. Times are epoch milliseconds. */
export interface Span {
  trace_id: string;
  span_id: string;
  parent_span_id?: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  start_ms: number;
  end_ms: number;
  attributes: Record<string, string | number | boolean | undefined>;
  /** What went wrong, in a word. */
  error?: string | undefined;
  link?: SpanReference | undefined;
}

export interface SpanReference {
  trace_id: string;
  span_id: string;
}

/**
 * A message is a trace: its identifier has the 16 bytes that a trace id has. Every node and every role knows it, at any
 * time, and nothing has to be stored or passed on.
 */
export function traceOfMessage(msg_id: string): string {
  return msg_id.replaceAll('-', '');
}

/** The span of a message or a mail: the last 8 bytes of its identifier. */
export function spanOf(id: string): string {
  return id.slice(-17).replace('-', '');
}

/** W3C Trace Context §3.2, as `base/http/request-identity.ts` accepts it. */
export function readTraceparent(text: string | undefined): SpanReference | undefined {
  const [, trace_id, span_id] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(text ?? '') ?? [];
  return trace_id && span_id ? { trace_id, span_id } : undefined;
}
