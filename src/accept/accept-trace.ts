import { readTraceparent } from '../base/tracing/span.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import type { NewMessage } from '../mails/index.ts';
import type { Draft } from './draft.ts';

interface AcceptedDraft {
  draft: Draft;
  message: NewMessage;
  now: Date;
  duration_ms: number;
}

/**
 * The root of a message's trace. A mail outlives the request that sent it by days, so it has a trace of its own, with a
 * link to the caller's.
 */
export function traceAccept(tracer: Tracer, { draft, message, now, duration_ms }: AcceptedDraft): void {
  tracer.message(message.msg_id, {
    name: 'accept',
    kind: 'producer',
    start_ms: now.getTime() - duration_ms,
    end_ms: now.getTime(),
    attributes: {
      'chasqui.msg_id': message.msg_id,
      'chasqui.instance_id': message.instance_id,
      'chasqui.source': draft.source,
      'chasqui.stream': message.stream,
      'chasqui.recipients': message.mails.length,
      'chasqui.size_bytes': message.size_bytes,
    },
    link: readTraceparent(draft.traceparent),
  });
}
