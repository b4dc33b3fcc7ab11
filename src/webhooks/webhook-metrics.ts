import { Counter, type Registry } from 'prom-client';
import { Histogram } from '../base/histogram.ts';
import type { Answer } from './webhook-client.ts';

export interface WebhookMetrics {
  attempted(
    delivery: { attempt: number; event_at: Date },
    answer: Pick<Answer, 'error' | 'latency_ms'>,
    at: Date,
  ): void;
}

export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const attempts = new Counter({
    name: 'chasqui_webhook_attempts_total',
    help: 'Webhook delivery attempts by outcome: delivered (2xx) or failed.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const latency = new Histogram(registry, {
    name: 'chasqui_webhook_request_duration_seconds',
    help: 'Response time of webhook endpoints.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const lag = new Histogram(registry, {
    name: 'chasqui_webhook_lag_seconds',
    help: 'Time from an event to the end of its first delivery attempt.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  });
  return {
    attempted({ attempt, event_at }, { error, latency_ms }, at) {
      attempts.inc({ outcome: error === null ? 'delivered' : 'failed' });
      latency.observe({}, latency_ms / 1000);
      if (attempt === 1) lag.observe({}, Math.max(0, at.getTime() - event_at.getTime()) / 1000);
    },
  };
}
