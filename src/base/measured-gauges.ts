import { Gauge, type Registry } from 'prom-client';
import { cachedFor } from './cached-for.ts';
import type { Queryable } from './db/database.ts';
import { sharedMeasurement } from './db/shared-measurement.ts';
import type { Log } from './log.ts';

interface MeasuredGaugesOptions<Figures> {
  db: Queryable;
  registry: Registry;
  log: Log;
  name: string;
  /** Computes the figures; `before` are those of the last measurement by any node. */
  measure: (before: Figures | undefined) => Promise<Figures>;
  show: (figures: Figures, measured_at: Date) => void;
}

/** Gauges are collected together, and those of a process share what they read. */
const keptMs = 15_000;
const maxAgeMs = 30_000;

type NewGauge = <Label extends string>(name: string, help: string, labelNames?: Label[]) => Gauge<Label>;

/** Gauges of the whole installation, measured when one of its nodes is scraped. */
export function measuredGauges<Figures>(options: MeasuredGaugesOptions<Figures>): NewGauge {
  const { db, registry, log, name, measure, show } = options;
  const collect = cachedFor(keptMs, async () => {
    try {
      const found = await sharedMeasurement({ db, name, max_age_ms: maxAgeMs, measure });
      if (found) show(found.figures, found.measured_at);
    } catch (error) {
      // Keep serving other metrics.
      log.warn({ err: error, measurement: name }, 'a measurement for metrics failed');
    }
  });
  return (gauge, help, labelNames = []) =>
    new Gauge({ name: gauge, help, labelNames, registers: [registry], collect });
}
