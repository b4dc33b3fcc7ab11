import { setMaxListeners } from 'node:events';
import type { Config } from '../base/config.ts';
import { createSigningKeys } from '../deliver/attempt.ts';
import { createMessageBuilder } from '../deliver/build-message.ts';
import { createDelivery } from '../deliver/delivery.ts';
import { createLookupCache } from '../deliver/route/lookup-cache.ts';
import { createRecordLookup } from '../deliver/route/record-lookup.ts';
import { createRouter } from '../deliver/route/router.ts';
import { createSandbox } from '../deliver/sandbox-attempt.ts';
import { createSessionPool } from '../deliver/session-pool.ts';
import { createPace } from '../deliver/pace/pace.ts';
import { createResolver } from '../protocol/dns/resolver.ts';
import { createPolicyFetcher } from '../protocol/mta-sts/fetch-policy.ts';
import { createPolicyStore, type PolicyStore } from '../protocol/mta-sts/policy-store.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { openSession } from '../protocol/smtp-client/open-session.ts';
import { defaultTimeouts, type Timeouts } from '../protocol/smtp-client/timeouts.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** From the queue to the world's mail servers. */
export function startDelivery(context: ServiceContext, base_url: string): Running {
  const { config, store, notifications, clock, log, secret } = context;
  const { db } = store;
  const hostname = `mx.${config.platform_domain}`;
  const pace = createPace({ max_mails_per_second: 1_000 }, clock);
  const timeouts = timeoutsFor(config);
  const lease_ms = config.delivery_lease_seconds * 1000;
  const cut = new AbortController();
  // One listener for each connection that is open.
  setMaxListeners(0, cut.signal);
  const sessions = createSessionPool({
    open: async ({ host, address }, need) =>
      await openSession({
        timeouts,
        signal: cut.signal,
        host: address,
        port: config.mx_port,
        ehlo_name: hostname,
        tls: {
          mode: need === 'verified' ? 'required' : need,
          servername: host,
          verify: need === 'verified' ? 'pkix' : 'none',
        },
      }),
    pace,
    clock,
    max_messages: 100,
    idle_ms: 5_000,
    longest_wait_ms: Math.min(30_000, lease_ms / 4),
  });
  const servers = config.dns_servers.length > 0 ? { servers: config.dns_servers } : {};
  const lookUp = createLookupCache(createRecordLookup({ ...servers, timeout_ms: 5_000 }), {
    clock,
  });
  const delivery = createDelivery({
    db,
    notifications,
    clock,
    log,
    max_under_way: 500,
    lease_seconds: config.delivery_lease_seconds,
    attempts: {
      db,
      clock,
      log,
      secret,
      sessions,
      pace,
      policies: mtaStsPolicies(context),
      longest_search_ms: lease_ms / 4,
      unreachable: new Set(),
      router: createRouter({
        lookUp,
        mx_allow_private: config.mx_allow_private,
        own_names: [hostname],
        own_addresses: config.mx_allow_private ? [] : config.public_addresses,
      }),
      signingKey: createSigningKeys(db, secret, clock),
      build: createMessageBuilder({ db, tokens: new MailTokens(secret), base_url, hostname }),
      sandbox: createSandbox(db),
    },
  });
  delivery.start();
  return {
    async stop() {
      await delivery.stop();
      await sessions.close();
    },
    cut() {
      delivery.cut();
      cut.abort();
    },
  };
}

/** Bounded for all, and so that an attempt is over before its lease is: half of it is the most for one message. */
function timeoutsFor({ mx_timeout_seconds, delivery_lease_seconds }: Config): Timeouts {
  const most = mx_timeout_seconds * 1000;
  const each = Object.entries(defaultTimeouts).map(([phase, ms]) => [phase, Math.min(ms, most)]);
  return {
    ...(Object.fromEntries(each) as Timeouts),
    transaction: Math.min(defaultTimeouts.transaction, (delivery_lease_seconds * 1000) / 2),
  };
}

function mtaStsPolicies({ config, clock }: ServiceContext): PolicyStore {
  const servers = config.dns_servers.length > 0 ? { servers: config.dns_servers } : {};
  const resolver = createResolver({ ...servers, timeout_ms: 5_000 });
  return createPolicyStore({
    txt: async (name) => await resolver.txt(name),
    fetchPolicy: createPolicyFetcher({
      addresses: async (name) => await resolver.addresses(name),
      allow_private: config.mx_allow_private,
    }),
    clock,
  });
}
