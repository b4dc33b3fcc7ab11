import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestService } from '../support/test-service.ts';

/**
 * What another tenant may have to wait for any one answer, whatever is done to the service meanwhile. On a machine that
 * has no core to spare everything takes longer.
 */
export const most_ms = 500 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
const between_ms = 10;
/** Fewer would say nothing: the attack was over before anybody else called. */
const least_requests = 3;

/**
 * Runs an attack while another tenant goes on sending and reading, one request after the other, and gives the longest
 * that any of its answers took. Make the attack's bodies before: what blocks this process counts as the service's.
 */
export async function whileAttacked(service: TestService, attack: () => Promise<unknown>): Promise<number> {
  const { api, instance } = await service.tenant();
  const calls = [
    async () =>
      await api.post('/v1/mails/send', {
        sender_email: `test@${instance.slug}.sandbox.test`,
        to: [{ email: 'delivered@sandbox.test' }],
        subject: 'Hello',
        html: '<p>Hello</p>',
      }),
    async () => await api.get('/v1/fields'),
  ];
  // What is done once for every new tenant is not what is measured.
  for (const call of calls) await call();
  let isOver = false;
  const attacking = attack().finally(() => (isOver = true));
  // What it throws is thrown at the end.
  attacking.catch(() => undefined);
  let worst = 0;
  let requests = 0;
  while (!isOver || requests < least_requests) {
    const began = performance.now();
    const { status, text } = await (calls[requests % calls.length] as (typeof calls)[0])();
    worst = Math.max(worst, performance.now() - began);
    assert.equal(status, 200, text);
    requests += 1;
    await delay(between_ms);
  }
  await attacking;
  return Math.round(worst);
}
