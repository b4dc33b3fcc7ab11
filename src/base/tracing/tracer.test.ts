import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { startWebhookSink } from '../../../test/support/webhook-sink.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { IdSequence } from '../ids.ts';
import { createLog } from '../log.ts';
import { readTraceparent, spanOf, traceOfMessage } from './span.ts';
import { createTracer } from './tracer.ts';

const log = createLog('silent');
const step = { name: 'accept', kind: 'producer', start_ms: 1, end_ms: 2, attributes: {} } as const;
const ids = new IdSequence();
const msgIds = Array.from({ length: 400 }, () => ids.next(new Date()));

test('a trace is named after the message, a span after message or mail', () => {
  const id = '019a84f2-7c00-7000-8000-2f6d1c3b5a79';
  assert.equal(traceOfMessage(id), '019a84f27c00700080002f6d1c3b5a79');
  assert.equal(spanOf(id), '80002f6d1c3b5a79');
});

test('only a whole traceparent is a reference', () => {
  const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
  const span_id = '00f067aa0ba902b7';
  assert.deepEqual(readTraceparent(`00-${trace_id}-${span_id}-01`), { trace_id, span_id });
  for (const text of [undefined, '', `00-${trace_id}`, `00-${trace_id.toUpperCase()}-${span_id}-01`])
    assert.equal(readTraceparent(text), undefined);
});

test('nodes choose the same messages to trace, about as many as asked for', async (t) => {
  const chosen = async (percent: number): Promise<Set<string>> => {
    const sink = await startWebhookSink({});
    t.after(sink.stop);
    const endpoint = `${sink.url}/`;
    const tracer = createTracer({
      endpoint,
      headers: {},
      percent,
      resource: {},
      log,
      registry: new Registry(),
    });
    for (const id of msgIds) tracer.message(id, step);
    await tracer.stop();
    const text = sink.requests.map(({ body }) => body.toString()).join('');
    return new Set([...text.matchAll(/"traceId":"(\w+)"/g)].map(([, id = '']) => id));
  };
  const [one, other, all] = await Promise.all([chosen(25), chosen(25), chosen(100)]);
  assert.deepEqual(one, other);
  assert.ok(one.size > 50 && one.size < 150, `${one.size} of 400`);
  assert.equal(all.size, 400);
});

function openTracer(endpoint: string, more: { timeout_ms?: number } = {}) {
  const registry = new Registry();
  const tracer = createTracer({ endpoint, headers: {}, percent: 100, resource: {}, log, registry, ...more });
  const count = async (result: string): Promise<number> => {
    const [metric] = await registry.getMetricsAsJSON();
    return metric?.values.find(({ labels }) => labels['result'] === result)?.value ?? 0;
  };
  return { tracer, count };
}

test('spans that a busy receiver did not take are sent again, those it refuses are not', async (t) => {
  const sink = await startWebhookSink({});
  t.after(sink.stop);
  sink.respond({ status: 503 }, { status: 200 }, { status: 400 });
  const { tracer, count } = openTracer(sink.url);
  tracer.message(msgIds[0] ?? '', step);
  await waitFor(async () => (await count('sent')) === 1, { what: 'the span to be sent' });
  assert.equal(sink.requests[0]?.body.toString(), sink.requests[1]?.body.toString());
  tracer.message(msgIds[1] ?? '', step);
  await waitFor(async () => (await count('dropped')) === 1, { what: 'the span to be dropped' });
  await tracer.stop();
  assert.equal(sink.requests.length, 3);
});

test('the queue of spans is bounded, and a stop does not wait for a receiver that is gone', async () => {
  const sink = await startWebhookSink({});
  await sink.stop();
  const { tracer, count } = openTracer(sink.url);
  for (let times = 0; times < 10_000; times += 1) tracer.message(msgIds[0] ?? '', step);
  assert.equal(await count('dropped'), 10_000 - 8_192);
  await tracer.stop();
  assert.equal(await count('dropped'), 10_000);
});

test('a stop waits for a slow receiver no longer than for one request', async (t) => {
  const respond = async () => {
    await sleep(800);
    return { status: 200 };
  };
  const sink = await startWebhookSink({ respond });
  t.after(sink.stop);
  const { tracer, count } = openTracer(sink.url, { timeout_ms: 2_000 });
  // Sixteen requests, of which two fit.
  for (let at = 0; at < 8_192; at += 1) tracer.message(msgIds[at % msgIds.length] ?? '', step);
  await tracer.stop();
  const [sent, dropped] = [await count('sent'), await count('dropped')];
  assert.equal(sent + dropped, 8_192);
  assert.ok(sent > 0 && sent <= 3 * 512, `${sent} sent`);
});
