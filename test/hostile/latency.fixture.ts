import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestService } from '../support/test-service.ts';

/** What another tenant may have to wait while somebody attacks. */
export const worst_wait_ms = 500;

/**
 * Runs an attack while another tenant makes one request after the other, and fails when any of them waited too long.
 * Attackers share the process with the service: what they send has to be there before.
 */
export async function whileAttacked<T>(service: TestService, attack: () => Promise<T>): Promise<T> {
  const neighbour = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [
    neighbour.instance.id,
  ]);
  const headers = {
    authorization: `Bearer ${neighbour.api_key}`,
    'x-instance-slug': neighbour.instance.slug,
  };
  const request = async (): Promise<number> => {
    const start = performance.now();
    const response = await fetch(`${service.base_url}/v1/fields`, { headers });
    await response.arrayBuffer();
    assert.equal(response.status, 200);
    return performance.now() - start;
  };
  // The first of all compiles, connects and fills caches.
  for (let round = 0; round < 5; round += 1) await request();
  const waits: number[] = [];
  let isOver = false;
  const neighbourhood = (async () => {
    do {
      waits.push(await request());
      await delay(5);
    } while (!isOver);
  })();
  const result = await attack().finally(() => (isOver = true));
  await neighbourhood;
  const worst = Math.max(...waits);
  assert.ok(worst < worst_wait_ms, `another tenant waited ${Math.round(worst)} ms`);
  return result;
}
