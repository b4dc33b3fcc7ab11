import { createDeliveryLoop } from '../webhooks/delivery-loop.ts';
import { createFanOutLoop } from '../webhooks/fan-out-loop.ts';
import { createPauseSweep } from '../webhooks/pause-sweep.ts';
import { createWebhookClient } from '../webhooks/webhook-client.ts';
import { createWebhookMetrics } from '../webhooks/webhook-metrics.ts';
import { ReceivedLinks } from '../received/received-links.ts';
import { endpointPolicy } from './platform-services.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Three times what an attempt may take. */
const maxLeaseSeconds = 30;

/** From the events to the endpoints of customers. */
export function startWebhooks(context: ServiceContext, base_url: string): Running {
  const { config, store, notifications, clock, log, secret, metrics, tracer, node } = context;
  const shared = { db: store.db, notifications, clock, log };
  const client = createWebhookClient({ policy: endpointPolicy(config) });
  const fanOut = createFanOutLoop(shared);
  const sweep = createPauseSweep(shared);
  const delivery = createDeliveryLoop({
    ...shared,
    node,
    root: secret,
    client,
    metrics: createWebhookMetrics(metrics.registry),
    batches: metrics.batches,
    tracer,
    received_links: new ReceivedLinks(secret, () => base_url),
    lease_seconds: Math.min(maxLeaseSeconds, config.delivery_lease_seconds),
  });
  for (const part of [fanOut, delivery, sweep]) part.start();
  return {
    async stop() {
      await Promise.all([fanOut.stop(), sweep.stop(), delivery.stop()]);
      await client.stop();
    },
    abort() {
      delivery.abort();
      void client.stop();
    },
  };
}
