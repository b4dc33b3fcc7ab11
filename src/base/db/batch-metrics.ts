import { Gauge, Histogram, type Registry } from 'prom-client';
import type { BatchWatch } from './batcher.ts';

/** Metrics of the batcher with this name. */
export type WatchBatches = (name: string) => BatchWatch;

export function createBatchMetrics(registry: Registry): WatchBatches {
  const counts = new Map<string, () => number>();
  const items = new Histogram({
    name: 'chasqui_batch_items',
    help: 'Items of a batch that is written to the database at once.',
    labelNames: ['batch'],
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
    registers: [registry],
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
