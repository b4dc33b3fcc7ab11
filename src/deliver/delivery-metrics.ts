import { Counter, Gauge, type Registry } from 'prom-client';
import { Histogram } from '../base/histogram.ts';
import type { Outcome } from '../events/index.ts';
import { sendingTime, type DueMail } from './load-batch.ts';
import type { Pace } from './pace/pace.ts';
import { providerKeyLabel, providerLabel } from './pace/provider-label.ts';
import { tlsLabel } from './tls-detail.ts';

export interface DeliveryLoad {
  slots: number;
  free: number;
  /** Attempts that run or whose outcome is not recorded yet. */
  unfinished: number;
}

export interface DeliveryMetrics {
  attempted(outcome: Outcome, seconds: number): void;
  /** `due` is undefined for a message past its retention. */
  recorded(outcome: Outcome, due: DueMail | undefined): void;
  /** Another node has the mail: its lease was lost during the attempt. */
  lost(): void;
  watch(load: () => DeliveryLoad): void;
}

/** Nothing was sent in these: they have no duration worth a distribution. */
const withoutAttempt: ReadonlySet<string> = new Set<Outcome['verdict']>(['postponed', 'held', 'dropped']);

export function createDeliveryMetrics(registry: Registry, pace: Pick<Pace, 'list'>): DeliveryMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'chasqui_delivery_outcomes_total',
    help: 'Outcomes of delivery: sent, deferred, bounced, dropped, held, or postponed without an attempt.',
    labelNames: ['outcome', 'provider', 'tls'],
    registers,
  });
  const bounces = new Counter({
    name: 'chasqui_delivery_bounces_total',
    help: 'Bounces by type: hard, soft or block.',
    labelNames: ['type', 'provider'],
    registers,
  });
  const lost = new Counter({
    name: 'chasqui_delivery_outcomes_lost_total',
    help: 'Outcomes that were not recorded, since the lease was lost during the attempt: a mail may be sent twice.',
    registers,
  });
  const duration = new Histogram(registry, {
    name: 'chasqui_delivery_attempt_duration_seconds',
    help: 'Duration of an attempt: build, sign, look up, connect and send.',
    labels: ['provider'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  });
  const latency = new Histogram(registry, {
    name: 'chasqui_delivery_latency_seconds',
    help: 'Time from the acceptance of a mail, or from the time it was scheduled for, until the remote server accepted it.',
    labels: ['stream'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
  });
  watchProviders(registry, pace);
  return {
    attempted({ verdict, details }, seconds) {
      if (withoutAttempt.has(verdict)) return;
      duration.observe({ provider: providerLabel(details.remote_host) }, seconds);
    },
    recorded(outcome, due) {
      const { verdict, details, at } = outcome;
      const provider = providerLabel(details.remote_host);
      outcomes.inc({ outcome: verdict, provider, tls: tlsLabel(details) });
      if (outcome.verdict === 'bounced') bounces.inc({ type: outcome.type, provider });
      if (verdict !== 'sent' || !due) return;
      // The clock may have been set back meanwhile.
      const seconds = Math.max(0, at.getTime() - sendingTime(due).getTime()) / 1000;
      latency.observe({ stream: due.message.stream }, seconds);
    },
    lost: () => lost.inc(),
    watch: (load) => watchLoad(registry, load),
  };
}

function watchLoad(registry: Registry, load: () => DeliveryLoad): void {
  const slots = new Gauge({
    name: 'chasqui_delivery_slots',
    help: 'Concurrent attempts that this node may run, by state: used or free.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { slots: all, free } = load();
      slots.set({ state: 'used' }, all - free);
      slots.set({ state: 'free' }, free);
    },
  });
  const unfinished = new Gauge({
    name: 'chasqui_delivery_unfinished',
    help: 'Mails of this node that are being attempted or whose outcome is not recorded yet.',
    registers: [registry],
    collect() {
      unfinished.set(load().unfinished);
    },
  });
}

function watchProviders(registry: Registry, pace: Pick<Pace, 'list'>): void {
  const connections = new Gauge({
    name: 'chasqui_delivery_connections',
    help: 'Open connections to remote servers.',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      connections.reset();
      throttled.reset();
      for (const { provider, open, cooling_until } of pace.list()) {
        const label = { provider: providerKeyLabel(provider) };
        if (open > 0) connections.inc(label, open);
        if (cooling_until) throttled.inc(label);
      }
    },
  });
  const throttled = new Gauge({
    name: 'chasqui_delivery_throttled_providers',
    help: 'Providers that asked to slow down, and to which nothing is sent for the moment.',
    labelNames: ['provider'],
    registers: [registry],
  });
}
