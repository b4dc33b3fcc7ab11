import { Counter, type Registry } from 'prom-client';
import { problemFromError } from '../base/errors/from-error.ts';
import { Histogram } from '../base/histogram.ts';
import type { NewMessage } from '../mails/index.ts';
import type { Draft } from './draft.ts';

export interface AcceptMetrics {
  /** Called after the commit. */
  accepted(source: Draft['source'], message: NewMessage, duration_ms: number): void;
  refused(source: Draft['source'], error: unknown, duration_ms: number): void;
}

export function createAcceptMetrics(registry: Registry): AcceptMetrics {
  const duration = new Histogram(registry, {
    name: 'chasqui_accept_duration_seconds',
    help: 'Time to accept a message, its commit included, by interface and result: accepted, or the code of the problem.',
    labels: ['source', 'result'],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  const mails = new Counter({
    name: 'chasqui_accepted_mails_total',
    help: 'Accepted mails, one for each recipient, by interface and by what follows: queued, or the reason of the drop.',
    labelNames: ['source', 'result'],
    registers: [registry],
  });
  return {
    accepted(source, message, duration_ms) {
      const drops = message.mails.flatMap(({ drop_reason }) => drop_reason ?? []);
      mails.inc({ source, result: 'queued' }, message.mails.length - drops.length);
      for (const reason of drops) mails.inc({ source, result: reason });
      duration.observe({ source, result: 'accepted' }, duration_ms / 1000);
    },
    refused(source, error, duration_ms) {
      const result = problemFromError(error)?.code ?? 'internal_error';
      duration.observe({ source, result }, duration_ms / 1000);
    },
  };
}
