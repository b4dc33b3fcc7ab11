import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { createPace, type PaceOptions, type ConnectionSlot } from './pace.ts';

function setUp(options: Partial<PaceOptions> = {}) {
  const clock = createMovableClock('2026-01-01T00:00:00Z');
  const pace = createPace({ initial_connections: 4, random: () => 0.5, ...options }, clock);
  const of = (provider: string) => pace.list().find((each) => each.provider === provider);
  const open = (host: string, times: number): ConnectionSlot[] =>
    Array.from({ length: times }, () => pace.acquire(host)).filter((slot) => slot !== undefined);
  return { clock, pace, of, open };
}

test('a host gets no more connections than its own limit, its provider no more than all hosts share', () => {
  const { pace, open } = setUp({ max_connections_per_host: 3 });
  assert.equal(open('mx1.example.test', 5).length, 3);
  assert.deepEqual(pace.mayOpen('mx1.example.test'), { may: false, reason: 'host_full' });
  const [slot] = open('mx2.example.test', 5);
  assert.deepEqual(pace.mayOpen('mx3.example.test'), { may: false, reason: 'provider_full' });
  assert.deepEqual(pace.mayOpen('mx.other.test'), { may: true });
  slot?.release();
  slot?.release();
  assert.deepEqual(pace.mayOpen('mx3.example.test'), { may: true });
  assert.equal(open('mx3.example.test', 5).length, 1);
});

test('the limit grows with success while it is in use, up to the ceiling', () => {
  const { pace, of, open } = setUp({ max_connections: 6 });
  for (let mail = 0; mail < 100; mail += 1) pace.onSuccess('mx.example.test');
  assert.equal(of('example.test')?.limit, 4, 'unused places prove nothing');
  open('mx.example.test', 4);
  for (let mail = 0; mail < 4; mail += 1) pace.onSuccess('mx.example.test');
  assert.equal(of('example.test')?.limit, 4);
  pace.onSuccess('mx.example.test');
  assert.equal(of('example.test')?.limit, 5);
  for (let mail = 0; mail < 500; mail += 1) {
    pace.onSuccess('mx.example.test');
    open('mx.example.test', 1);
  }
  assert.deepEqual([of('example.test')?.limit, of('example.test')?.open], [6, 6]);
});

test('a complaint halves what was in use, never below one, and pauses the destination', () => {
  const { clock, pace, of, open } = setUp({ initial_connections: 20, cool_down_ms: 30_000 });
  const slots = open('mx.example.test', 9);
  pace.onThrottled('mx.example.test');
  assert.equal(of('example.test')?.limit, 5);
  assert.deepEqual(pace.mayOpen('mx.example.test'), {
    may: false,
    reason: 'cooling_down',
    retry_after_ms: 30_000,
  });
  assert.equal(pace.takeMail('mx.example.test'), 30_000);
  for (const slot of slots) slot.release();
  clock.advance(29_999);
  assert.equal(pace.acquire('mx.example.test'), undefined);
  clock.advance(1);
  assert.equal(open('mx.example.test', 9).length, 5);
  for (let round = 0; round < 10; round += 1) {
    pace.onThrottled('mx.example.test');
    clock.advance(20 * 60_000);
  }
  assert.equal(of('example.test')?.limit, 1);
});

test('the same refusal on many connections at once counts as one', () => {
  const { clock, pace, of, open } = setUp({ initial_connections: 16, max_connections_per_host: 16 });
  open('mx.example.test', 15);
  for (let connection = 0; connection < 15; connection += 1) {
    pace.onThrottled('mx.example.test');
    clock.advance(100);
  }
  assert.equal(of('example.test')?.limit, 8);
});

test('pauses double while nothing succeeds, up to the longest, and start anew after a success', () => {
  const { clock, pace, of } = setUp({ cool_down_ms: 60_000, max_cool_down_ms: 200_000 });
  const pause = (): number => {
    pace.onThrottled('mx.example.test');
    const until = of('example.test')?.cooling_until?.getTime() ?? 0;
    const length = until - clock.now().getTime();
    clock.advance(length);
    return length;
  };
  assert.deepEqual([pause(), pause(), pause(), pause()], [60_000, 120_000, 200_000, 200_000]);
  pace.onSuccess('mx.example.test');
  assert.equal(pause(), 60_000);
});

test('pauses differ from node to node, and what the server asks for is the least', () => {
  const lengths = [0, 0.5, 0.999].map((random) => {
    const { pace, of, clock } = setUp({ cool_down_ms: 10_000, random: () => random });
    pace.onThrottled('mx.example.test');
    return (of('example.test')?.cooling_until?.getTime() ?? 0) - clock.now().getTime();
  });
  assert.deepEqual(lengths, [8000, 10_000, 11_996]);
  const { pace, of, clock } = setUp({ cool_down_ms: 10_000, max_cool_down_ms: 900_000 });
  pace.onThrottled('mx.example.test', 300);
  const first = of('example.test')?.cooling_until?.getTime() ?? 0;
  assert.equal(first - clock.now().getTime(), 315_000);
  pace.onThrottled('mx.example.test', 14_400);
  const longest = of('example.test')?.cooling_until?.getTime() ?? 0;
  assert.equal(longest - clock.now().getTime(), 900_000);
});

test('mails flow at the rate, a complaint halves the rate that was in use, success brings it back', () => {
  const { clock, pace, of } = setUp({ max_mails_per_second: 10, min_mails_per_second: 0.5 });
  let taken = 0;
  for (let tick = 0; tick < 300; tick += 1) {
    while (pace.takeMail('mx.example.test') === 0) taken += 1;
    clock.advance(100);
  }
  assert.ok(taken >= 300 && taken <= 310, `${taken}`);
  assert.equal(pace.takeMail('mx.example.test'), 0);
  assert.equal(pace.takeMail('mx.example.test'), 100);
  pace.onThrottled('mx.example.test');
  const rate = of('example.test')?.mails_per_second ?? 0;
  assert.ok(rate > 4 && rate <= 5, `${rate}`);
  clock.advance(60_000);
  for (let mail = 0; mail < 100; mail += 1) pace.onSuccess('mx.example.test');
  assert.equal(of('example.test')?.mails_per_second, 10);
  pace.onThrottled('mx.idle.test');
  assert.equal(of('idle.test')?.mails_per_second, 0.5);
});

test('one provider is one destination, whatever the host', () => {
  const { pace, open } = setUp();
  assert.equal(open('aspmx.l.google.com', 2).length, 2);
  assert.equal(open('alt1.aspmx.l.google.com', 2).length, 2);
  assert.equal(pace.acquire('aspmx2.googlemail.com'), undefined);
  pace.onThrottled('a-com.mail.protection.outlook.com');
  assert.equal(pace.acquire('b-org.mail.protection.outlook.com'), undefined);
  assert.ok(pace.acquire('mx.example.test'));
});

test('idle providers are forgotten; those in use or in a pause are not', () => {
  const { clock, pace } = setUp({ idle_ms: 60_000, max_cool_down_ms: 600_000 });
  pace.takeMail('mx.idle.test');
  const held = pace.acquire('mx.held.test');
  pace.onThrottled('mx.cooling.test', 500);
  clock.advance(60_000);
  pace.takeMail('mx.new.test');
  const names = (): string[] => pace.list().map(({ provider }) => provider);
  assert.deepEqual(names(), ['held.test', 'cooling.test', 'new.test']);
  held?.release();
  clock.advance(600_000);
  pace.takeMail('mx.last.test');
  assert.deepEqual(names(), ['last.test']);
});

test('memory is bounded whatever the number of destinations', () => {
  const { pace, of } = setUp({ max_providers: 100 });
  const held = pace.acquire('mx.held.test');
  for (let index = 0; index < 5000; index += 1) pace.takeMail(`mx.domain${index}.test`);
  assert.equal(pace.list().length, 100);
  assert.equal(of('held.test')?.open, 1);
  held?.release();
  assert.equal(of('held.test')?.open, 0);
});
