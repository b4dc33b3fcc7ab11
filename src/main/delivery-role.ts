import { setMaxListeners } from 'node:events';
import { monotonicClock } from '../base/clock.ts';
import { isPublicUrl } from '../base/public-url.ts';
import { attemptLimits } from '../deliver/attempt-limits.ts';
import { createSigningKeys } from '../deliver/attempt.ts';
import { createMessageBuilder } from '../deliver/build-message.ts';
import { createDelivery } from '../deliver/delivery.ts';
import { createDeliveryMetrics } from '../deliver/delivery-metrics.ts';
import { createDeliveryTrace } from '../deliver/delivery-trace.ts';
import { createSandbox } from '../deliver/sandbox-attempt.ts';
import { createUnresponsiveHosts } from '../deliver/unresponsive-hosts.ts';
import { sandboxRefusals, sandboxVisits } from '../sandbox/sandbox-reactions.ts';
import { createSessionPool } from '../deliver/session-pool.ts';
import { createSuspects } from '../queue/suspects.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { createLeaseCheck } from '../queue/leases.ts';
import { createPausedDestinations } from '../queue/paused-destinations.ts';
import { isReservedName } from '../protocol/dns/reserved-names.ts';
import { openDeliveryMemory } from './body-memory.ts';
import { createTransport } from './transport.ts';
import { keepingInside } from './trial-installation.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Role `delivery`: from the queue to remote mail servers. */
export function startDelivery(context: ServiceContext, base_url: string): Running {
  const { config, store, notifications, clock, log, metrics, secret, tracking, renderer, hand_over, node } =
    context;
  const { db } = store;
  const mayLinkHere = config.allow_local_base_url || isPublicUrl(config.base_url);
  const lease_seconds = config.delivery_lease_seconds;
  const holdsLease = createLeaseCheck({ db, node, lease_seconds });
  const hostname = `mx.${config.platform_domain}`;
  const limits = attemptLimits({
    lease_seconds,
    reply_seconds: config.mx_timeout_seconds,
  });
  const connections = new AbortController();
  // One listener per open connection.
  setMaxListeners(0, connections.signal);
  const { router, policies, pace, pickSource, open } = createTransport(context, {
    timeouts: limits.timeouts,
    signal: connections.signal,
    ehlo_name: hostname,
  });
  const sessions = createSessionPool({
    open,
    pace,
    max_messages: 100,
    idle_ms: 5_000,
    max_wait_ms: limits.max_wait_ms,
  });
  const delivery = createDelivery({
    db,
    notifications,
    clock,
    log,
    node,
    hand_over,
    paused: createPausedDestinations(db, notifications),
    metrics: createDeliveryMetrics(metrics.registry, pace),
    batches: metrics.batches,
    trace: context.tracer && createDeliveryTrace(context.tracer),
    concurrency: 500,
    lease_seconds,
    attempts: {
      clock,
      log,
      sessions,
      pace,
      policies,
      router,
      pickSource,
      // When the lease cannot be confirmed the mail is not sent.
      holdsLease: async (mail) => await holdsLease(mail).catch(() => false),
      max_search_ms: limits.max_search_ms,
      hosts: createUnresponsiveHosts(monotonicClock),
      signingKey: createSigningKeys(db, secret),
      build: createMessageBuilder({
        db,
        tokens: new MailTokens(secret),
        tracking: tracking.tokens,
        renderer,
        base_url,
        hostname,
      }),
      isolatePoisonMail: createSuspects(db),
      hasDeadLinks: (domain) => !mayLinkHere && !isReservedName(domain),
      keepsInside: keepingInside(config),
      memory: openDeliveryMemory(context),
      sandbox: createSandbox(
        db,
        new Map([...sandboxVisits(tracking, base_url), ...sandboxRefusals(db, clock)]),
      ),
    },
  });
  delivery.start();
  return {
    async stop() {
      await delivery.stop();
      await sessions.close();
    },
    abort() {
      delivery.abort();
      connections.abort();
    },
  };
}
