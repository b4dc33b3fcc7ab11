import { Counter, Gauge, type Registry } from 'prom-client';
import type { ByteBudget } from '../protocol/byte-budget.ts';

type Measured = Pick<ByteBudget, 'limits' | 'used' | 'refused'>;

const kinds = {
  body: 'Bytes of incoming bodies and messages in memory',
  delivery: 'Bytes of large outgoing messages in memory',
};

export function measureMemory(kind: keyof typeof kinds, memory: Measured, registry: Registry): void {
  const prefix = `chasqui_${kind}_memory`;
  const gauge = (name: string, help: string, value: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(value());
      },
    });
  registry.registerMetric(gauge(`${prefix}_bytes`, `${kinds[kind]}.`, () => memory.used));
  registry.registerMetric(
    gauge(`${prefix}_limit_bytes`, `${kinds[kind]}: limit.`, () => memory.limits.total_bytes),
  );
  registry.registerMetric(
    new Counter({
      name: `${prefix}_refused_total`,
      help: 'Refusals for lack of memory, by the limit that was reached: share of the instance, or total.',
      labelNames: ['limit'],
      registers: [],
      collect() {
        this.reset();
        for (const limit of ['share', 'total'] as const) this.inc({ limit }, memory.refused[limit]);
      },
    }),
  );
}
