import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { seededRandom } from '../../protocol/mime/seeded-random.fixture.ts';
import { createPace, type PaceOptions, type ConnectionSlot } from './pace.ts';
import { providerOf } from './provider-key.ts';

interface Held {
  slot: ConnectionSlot;
  host: string;
}

/** Random lives of destinations; whatever happens, in whatever order, the limits hold. */
for (let seed = 1; seed <= 20; seed += 1) {
  test(`no sequence of events exceeds a limit (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const whole = (most: number): number => 1 + Math.floor(random() * most);
    const options: Partial<PaceOptions> = {
      initial_connections: whole(10),
      max_connections: whole(15),
      max_connections_per_host: whole(6),
      max_mails_per_second: whole(20),
      max_providers: 4,
      idle_ms: 5000,
      cool_down_ms: 2000,
      max_cool_down_ms: 10_000,
      random,
    };
    const clock = createMovableClock('2026-01-01T00:00:00Z');
    const pace = createPace(options, clock);
    const hosts = Array.from({ length: 12 }, (_, index) => `mx${index}.provider${index % 4}.test`);
    let held: Held[] = [];
    for (let step = 0; step < 3000; step += 1) {
      const host = hosts[Math.floor(random() * hosts.length)] as string;
      const provider = providerOf(host);
      const dice = random();
      if (dice < 0.45) {
        const permission = pace.mayOpen(host);
        const slot = pace.acquire(host);
        assert.equal(slot !== undefined, permission.may);
        if (slot) held.push({ slot, host });
        const now = pace.list().find((each) => each.provider === provider);
        if (slot && now) assert.ok(now.open <= now.limit && now.cooling_until === null, JSON.stringify(now));
      } else if (dice < 0.7) {
        const [released] = held.splice(Math.floor(random() * held.length), 1);
        released?.slot.release();
      } else if (dice < 0.9) pace.onSuccess(host);
      else if (dice < 0.92) pace.onThrottled(host, whole(20));
      else clock.advance(whole(4000));
      check(pace.list(), { held, options });
    }
    for (const { slot } of held) slot.release();
    held = [];
    check(pace.list(), { held, options });
  });
}

function check(
  states: ReturnType<ReturnType<typeof createPace>['list']>,
  { held, options }: { held: Held[]; options: Partial<PaceOptions> },
): void {
  const count = (keyOf: (each: Held) => string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const each of held) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
    return counts;
  };
  for (const open of count(({ host }) => host).values())
    assert.ok(open <= (options.max_connections_per_host ?? 0));
  const byProvider = count(({ slot }) => slot.provider);
  for (const open of byProvider.values()) assert.ok(open <= (options.max_connections ?? 0));
  for (const [provider, open] of byProvider) {
    assert.equal(states.find((state) => state.provider === provider)?.open, open);
  }
  for (const state of states) {
    assert.ok(state.limit >= 1 && state.limit <= (options.max_connections ?? 0));
    assert.ok(state.mails_per_second > 0 && state.mails_per_second <= (options.max_mails_per_second ?? 0));
    assert.equal(state.open, byProvider.get(state.provider) ?? 0);
  }
}

test('no stretch of time passes more mails than the rate and its burst of one second', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = seededRandom(seed);
    const rate = 1 + Math.floor(random() * 30);
    const clock = createMovableClock('2026-01-01T00:00:00Z');
    const pace = createPace({ max_mails_per_second: rate, random }, clock);
    const taken: number[] = [];
    for (let step = 0; step < 2000; step += 1) {
      const wait = pace.takeMail('mx.example.test');
      if (wait === 0) taken.push(clock.now().getTime());
      else clock.advance(random() < 0.5 ? wait : Math.ceil(random() * 300));
      if (random() < 0.001) pace.onThrottled('mx.example.test');
      if (random() < 0.5) pace.onSuccess('mx.example.test');
    }
    assert.ok(taken.length > 100);
    for (let from = 0; from < taken.length; from += 7) {
      for (let to = from; to < taken.length; to += 13) {
        const seconds = ((taken[to] ?? 0) - (taken[from] ?? 0)) / 1000;
        assert.ok(
          to - from + 1 <= rate * seconds + rate + 1e-6,
          `seed ${seed}: ${to - from + 1} in ${seconds} s`,
        );
      }
    }
  }
});

test('asking again after the wait that was given succeeds', () => {
  const clock = createMovableClock('2026-01-01T00:00:00Z');
  const pace = createPace({ max_mails_per_second: 3 }, clock);
  for (let mail = 0; mail < 1000; mail += 1) {
    const wait = pace.takeMail('mx.example.test');
    if (wait === 0) continue;
    clock.advance(wait);
    assert.equal(pace.takeMail('mx.example.test'), 0);
  }
});

test('a clock that is set back stops nothing and gives nothing away', () => {
  const clock = createMovableClock('2026-01-01T00:00:00Z');
  const pace = createPace({ max_mails_per_second: 1 }, clock);
  assert.equal(pace.takeMail('mx.example.test'), 0);
  clock.advance(-3_600_000);
  assert.equal(pace.takeMail('mx.example.test'), 1000);
  clock.advance(1000);
  assert.equal(pace.takeMail('mx.example.test'), 0);
});

test('hosts of one provider have one key', () => {
  const cases: [host: string, provider: string][] = [
    ['aspmx.l.google.com', 'google.com'],
    ['SMTP.Google.com.', 'google.com'],
    ['aspmx3.googlemail.com', 'google.com'],
    ['example-com.mail.protection.outlook.com', 'outlook.com'],
    ['example-com.a-v1.mx.microsoft', 'outlook.com'],
    ['mta7.am0.yahoodns.net', 'yahoodns.net'],
    ['mx01.mail.icloud.com', 'icloud.com'],
    ['mx0a-001.pphosted.com', 'pphosted.com'],
    ['mx1-us1.ppe-hosted.com', 'pphosted.com'],
    ['eu-smtp-inbound-1.mimecast.com', 'mimecast.com'],
    ['mx-ha02.web.de', 'gmx.net'],
    ['mx1.example.co.uk', 'example.co.uk'],
    ['mail.example.cl', 'example.cl'],
    ['notgoogle.com', 'notgoogle.com'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['localhost', 'localhost'],
  ];
  for (const [host, provider] of cases) assert.equal(providerOf(host), provider, host);
});
