import { Counter, Gauge, type Registry } from 'prom-client';
import type { ByteBudget } from '../protocol/byte-budget.ts';

type Measured = Pick<ByteBudget, 'limits' | 'used' | 'refused'>;

const kinds = {
  body: 'Bytes of bodies and messages on their way in, until they are answered',
  delivery: 'Bytes of large messages on their way out',
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
    gauge(`${prefix}_limit_bytes`, `${kinds[kind]}, at most.`, () => memory.limits.total_bytes),
  );
  registry.registerMetric(
    new Counter({
      name: `${prefix}_refused_total`,
      help: 'How often there was no room for one more: in the share of its instance, or in total.',
      labelNames: ['limit'],
      registers: [],
      collect() {
        this.reset();
        for (const limit of ['share', 'total'] as const) this.inc({ limit }, memory.refused[limit]);
      },
    }),
  );
}
