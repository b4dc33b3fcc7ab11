import { Gauge, type Registry } from 'prom-client';
import { Histogram } from '../histogram.ts';
import type { BatchWatch } from './batcher.ts';

/** Metrics of the batcher with this name. */
export type WatchBatches = (name: string) => BatchWatch;

export function createBatchMetrics(registry: Registry): WatchBatches {
  const counts = new Map<string, () => number>();
  const items = new Histogram(registry, {
    name: 'chasqui_batch_items',
    help: 'Items of a batch that is written to the database at once.',
    labels: ['batch'],
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
  });
  const waiting = new Gauge({
    name: 'chasqui_batch_waiting',
    help: 'Items that wait for the next batch.',
    labelNames: ['batch'],
    registers: [registry],
    collect() {
      for (const [batch, count] of counts) waiting.set({ batch }, count());
    },
  });
  return (name) => {
    const batch = name.replaceAll(' ', '_');
    return {
      begin: (countWaiting) => void counts.set(batch, countWaiting),
      dispatched: (count) => items.observe({ batch }, count),
    };
  };
}
