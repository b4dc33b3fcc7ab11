import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDeliveryBed, type DeliveryBed } from '../../src/deliver/delivery-bed.fixture.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts';

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
  links: { traceId: string; spanId: string }[];
}

let receiver: WebhookSink;
let customer: WebhookSink;
let bed: DeliveryBed;
before(async () => {
  receiver = await startWebhookSink({});
  customer = await startWebhookSink({});
  bed = await startDeliveryBed(
    {
      CHASQUI_OTLP_ENDPOINT: receiver.url,
      CHASQUI_OTLP_HEADERS: 'authorization=Bearer for the receiver',
      CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
    },
    { roles: 'api,delivery,webhooks' },
  );
  const made = await bed.tenant.api.post('/v1/webhooks', { name: 'Events', url: customer.url });
  assert.equal(made.status, 201, made.text);
});
after(async () => {
  await bed.stop();
  await receiver.stop();
  await customer.stop();
});

function spansOf(msg_id: string): OtlpSpan[] {
  const bodies = receiver.requests.map(
    ({ body }) => JSON.parse(body.toString()) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] },
  );
  const spans = bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  return spans.filter(({ traceId }) => traceId === msg_id.replaceAll('-', ''));
}

async function traceOf(msg_id: string, names: string[]): Promise<Map<string, OtlpSpan>> {
  const seen = (): string[] => spansOf(msg_id).map(({ name }) => name);
  await waitFor(() => names.every((name) => seen().includes(name)), {
    what: () => `spans ${names.join(', ')}; there are ${seen().join(', ')}`,
    timeout_ms: 10_000,
  });
  return new Map(spansOf(msg_id).map((span) => [span.name, span]));
}

const attribute = (span: OtlpSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];

test('accept, queue, attempt and webhook of a mail are one trace, with a link to the caller’s', async (t) => {
  const remote = await bed.remote(t);
  const caller = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
  const response = await fetch(`${bed.service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bed.tenant.api_key}`,
      'x-instance-slug': bed.tenant.instance.slug,
      'content-type': 'application/json',
      traceparent: `00-${caller.trace}-${caller.span}-01`,
    },
    body: JSON.stringify({
      sender_email: 'hi@shop.example.test',
      to: [{ email: `secret.person@${remote.domain}`, name: 'Ana' }],
      subject: 'Hola',
      html: '<p>Hola</p>',
    }),
  });
  const { message_id } = (await response.json()) as { message_id: string };
  const trace = await traceOf(message_id, ['accept', 'mail', 'queue', 'attempt', 'webhook']);
  const [accept, mail] = [trace.get('accept'), trace.get('mail')];
  assert.deepEqual(accept?.links, [{ traceId: caller.trace, spanId: caller.span }]);
  assert.equal(accept.parentSpanId, undefined);
  assert.equal(mail?.parentSpanId, accept.spanId);
  for (const name of ['queue', 'attempt', 'webhook'])
    assert.equal(trace.get(name)?.parentSpanId, mail.spanId, name);
  assert.equal(attribute(trace.get('attempt'), 'chasqui.outcome'), 'sent');
  assert.equal(attribute(trace.get('attempt'), 'server.address'), remote.host);
  assert.equal(attribute(trace.get('webhook'), 'http.response.status_code'), '200');
  for (const { name, startTimeUnixNano, endTimeUnixNano } of trace.values())
    assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano), name);
  const [first] = receiver.requests;
  assert.deepEqual([first?.path, first?.headers.authorization], ['/v1/traces', 'Bearer for the receiver']);
  const all = receiver.requests.map(({ body }) => body.toString()).join('');
  assert.doesNotMatch(all, /secret\.person|Hola/);
});

test('a bounce is an error in the trace, with its reason', async () => {
  const msg_id = await bed.send('bounce@sandbox.test');
  const trace = await traceOf(msg_id, ['attempt', 'mail']);
  for (const name of ['attempt', 'mail']) assert.equal(trace.get(name)?.status.code, 2, name);
  assert.ok(trace.get('attempt')?.status.message);
});

test('a receiver that is down delays no mail, and gets the spans when it is back', async () => {
  receiver.respond({ status: 503 });
  const recipient = 'delivered+down@sandbox.test';
  const msg_id = await bed.send(recipient);
  await bed.becomes(recipient, 3);
  const failures = (): string[] =>
    bed.service.logged.filter((line) => line.includes('sending traces failed'));
  await waitFor(() => failures().length > 0, { what: 'a line about the receiver' });
  assert.ok(failures().every((line) => !line.includes('for the receiver')));
  receiver.requests.length = 0;
  receiver.respond({ status: 200 });
  await traceOf(msg_id, ['accept', 'attempt', 'mail']);
});
