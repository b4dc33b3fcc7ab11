import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Api, ApiResponse } from '../support/api.ts';
import type { TestService } from '../support/test-service.ts';

/** What another tenant may have to wait for any one answer, whatever is done to the service meanwhile. */
const worstWaitMs = 500;
/** Other work on the machine delays one attempt; a service that blocks is slow in each. */
const attempts = 3;
/** Fewer would say nothing: the attack was over before anybody else called. */
const leastRequests = 3;
const betweenMs = 5;

/** On a machine that has no processor to spare everything takes longer. */
export function mostWait(): number {
  return worstWaitMs * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

export interface Endured<T> {
  result: T;
  /** The longest that a request of another tenant took, without what this thread waited for a processor. */
  worst_ms: number;
  /** The longest that this thread did nothing else, in time of its processor: others on the machine do not count. */
  block_ms: number;
}

/**
 * Runs an attack while another tenant goes on sending and reading, and fails when any of its requests waited too long.
 * Costly attackers should be threads of their own: what they do in this one counts as the service's.
 */
export async function whileAttacked<T>(service: TestService, attack: () => Promise<T>): Promise<Endured<T>> {
  let endured = await endure(service, attack);
  for (let attempt = 1; attempt < attempts && endured.worst_ms >= mostWait(); attempt += 1) {
    endured = await endure(service, attack);
  }
  const { block_ms, worst_ms } = endured;
  assert.ok(block_ms < worstWaitMs, `the service did nothing else for ${Math.round(block_ms)} ms`);
  assert.ok(worst_ms < mostWait(), `another tenant waited ${Math.round(worst_ms)} ms`);
  return endured;
}

async function endure<T>(service: TestService, attack: () => Promise<T>): Promise<Endured<T>> {
  const calls = await openNeighbour(service);
  const thread = watchThread();
  let isOver = false;
  const attacking = attack().finally(() => (isOver = true));
  // What it throws is thrown at the end.
  attacking.catch(() => undefined);
  let worst_ms = 0;
  const meter = waitMeter();
  try {
    for (let request = 0; !isOver || request < leastRequests; request += 1) {
      const [began, waited] = [performance.now(), meter()];
      const { status, text } = await (calls[request % calls.length] as (typeof calls)[0])();
      worst_ms = Math.max(worst_ms, performance.now() - began - (meter() - waited));
      assert.equal(status, 200, text);
      await delay(betweenMs);
    }
  } finally {
    thread.stop();
  }
  return { result: await attacking, worst_ms, block_ms: thread.longest_ms() };
}

async function openNeighbour(service: TestService): Promise<(() => Promise<ApiResponse>)[]> {
  const { api, instance } = await service.tenant();
  // The neighbour's own limit is not what is measured.
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [instance.id]);
  const calls = [
    async () => await send(api, `test@${instance.slug}.sandbox.test`),
    async () => await api.get('/v1/fields'),
  ];
  // The first of all compiles, connects and fills caches.
  for (let round = 0; round < 3; round += 1) for (const call of calls) await call();
  return calls;
}

async function send(api: Api, sender_email: string): Promise<ApiResponse> {
  return await api.post('/v1/mails/send', {
    sender_email,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
}

/** Milliseconds that this thread was ready to run, and others had the processors. */
function waitMeter(): () => number {
  const file = '/proc/self/schedstat';
  if (!existsSync(file)) return () => 0;
  return () => Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6;
}

/** Time of the processor between any two turns of a timer. */
function watchThread(): { stop: () => void; longest_ms: () => number } {
  let longest = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
  }, 1);
  return { stop: () => clearInterval(timer), longest_ms: () => longest / 1000 };
}
