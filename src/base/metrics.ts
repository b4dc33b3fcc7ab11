import { collectDefaultMetrics, Registry } from 'prom-client';
import { createBatchMetrics, type WatchBatches } from './db/batch-metrics.ts';
import { Histogram } from './histogram.ts';

export interface Metrics {
  registry: Registry;
  http_duration: Histogram<'operation' | 'status'>;
  batches: WatchBatches;
}

/** What concerns the process as a whole is collected once, by its main thread. */
export function createMetrics({ of_process = true } = {}): Metrics {
  const registry = new Registry();
  if (of_process) collectDefaultMetrics({ register: registry });
  return {
    registry,
    http_duration: new Histogram(registry, {
      name: 'chasqui_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer.',
      labels: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    }),
    batches: createBatchMetrics(registry),
  };
}
