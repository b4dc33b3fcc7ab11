import { createBodyMemory, limitsPerThread, type BodyMemory } from '../base/body-memory.ts';
import { measureMemory } from '../base/body-memory-metrics.ts';
import type { Config } from '../base/config.ts';
import type { Metrics } from '../base/metrics.ts';
import { ByteBudget, type ByteLimits } from '../protocol/byte-budget.ts';

interface Process {
  config: Config;
  metrics: Metrics;
}

/** For bodies on their way in: what a thread has of the process's memory for them. */
export function openBodyMemory({ config, metrics }: Process): BodyMemory {
  const memory = createBodyMemory(limitsPerThread(limitsOf(config), config.threads));
  measureMemory('body', memory, metrics.registry);
  return memory;
}

/** As much again for messages on their way out, which are delivered by one thread. */
export function openDeliveryMemory({ config, metrics }: Process): ByteBudget {
  const memory = new ByteBudget(limitsOf(config));
  measureMemory('delivery', memory, metrics.registry);
  return memory;
}

function limitsOf({ body_memory_bytes, body_memory_instance_bytes }: Config): ByteLimits {
  return { total_bytes: body_memory_bytes, share_bytes: body_memory_instance_bytes };
}
