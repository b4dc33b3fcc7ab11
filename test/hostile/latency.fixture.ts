import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestService } from '../support/test-service.ts';

/** What another tenant may have to wait while somebody attacks. */
const worst_wait_ms = 500;

/** On a machine that has no processor to spare everything takes longer. */
function crowding(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

export interface Endured<T> {
  result: T;
  /** The longest that a request of another tenant took. */
  worst_ms: number;
  /** The longest that this thread did nothing else, in time of its processor: others on the machine do not count. */
  block_ms: number;
}

/**
 * Runs an attack while another tenant makes one request after the other, and fails when any of them waited too long.
 * Attackers should be threads of their own: what they do in this one counts as the service's.
 */
export async function whileAttacked<T>(service: TestService, attack: () => Promise<T>): Promise<Endured<T>> {
  const request = await openNeighbour(service);
  const waits: number[] = [];
  let isOver = false;
  const neighbourhood = (async () => {
    do {
      waits.push(await request());
      await delay(5);
    } while (!isOver);
  })();
  const block = watchThread();
  const result = await attack().finally(() => (isOver = true));
  const block_ms = block();
  await neighbourhood;
  const worst_ms = Math.max(...waits);
  assert.ok(block_ms < worst_wait_ms, `the service did nothing else for ${Math.round(block_ms)} ms`);
  assert.ok(worst_ms < worst_wait_ms * crowding(), `another tenant waited ${Math.round(worst_ms)} ms`);
  return { result, worst_ms, block_ms };
}

/** Gives how long a request of another tenant takes. */
async function openNeighbour(service: TestService): Promise<() => Promise<number>> {
  const { api_key, instance } = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [instance.id]);
  const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': instance.slug };
  const request = async (): Promise<number> => {
    const start = performance.now();
    const response = await fetch(`${service.base_url}/v1/fields`, { headers });
    await response.arrayBuffer();
    assert.equal(response.status, 200);
    return performance.now() - start;
  };
  // The first of all compiles, connects and fills caches.
  for (let round = 0; round < 5; round += 1) await request();
  return request;
}

/** Time of the processor between any two turns of a timer; the function ends it and gives the longest. */
function watchThread(): () => number {
  let longest = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest / 1000;
  };
}
