import type { Span } from './span.ts';

/** SpanKind and StatusCode of opentelemetry/proto/trace/v1/trace.proto. */
const kinds: Record<Span['kind'], number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const statusError = 2;

export type Resource = Record<string, string>;

/** The body of a POST to `/v1/traces`: OTLP 1.x in JSON, where ids are hexadecimal and 64-bit numbers are strings. */
export function traceRequest(resource: Resource, spans: readonly Span[]) {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'chasqui' }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan(span: Span) {
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    parentSpanId: span.parent_span_id,
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.start_ms),
    endTimeUnixNano: nanoseconds(Math.max(span.start_ms, span.end_ms)),
    attributes: attributesOf(span.attributes),
    status: span.error === undefined ? {} : { code: statusError, message: span.error },
    links: span.link ? [{ traceId: span.link.trace_id, spanId: span.link.span_id }] : [],
  };
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function attributesOf(values: Span['attributes']) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
