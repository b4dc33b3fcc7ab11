import { monotonicClock, type Clock } from '../base/clock.ts';
import type { RemoteContext } from '../deliver/remote-attempt.ts';
import { createLookupCache } from '../protocol/dns/client/lookup-cache.ts';
import { createRecordLookup } from '../protocol/dns/client/record-lookup.ts';
import { createRouteCache } from '../deliver/route/route-cache.ts';
import { createRouter } from '../deliver/route/router.ts';
import { createSmarthostRouter, readSmarthost, smarthostTls } from '../deliver/route/smarthost.ts';
import { createLocalAddresses, createSourcePicker, anySource } from '../deliver/pick-source.ts';
import type { PoolOptions } from '../deliver/session-pool.ts';
import type { Target } from '../deliver/targets.ts';
import { createPace } from '../deliver/pace/pace.ts';
import { daneProblem } from '../protocol/dane/check-certificate.ts';
import { createResolver } from '../protocol/dns/client/resolver.ts';
import { createPolicyFetcher } from '../protocol/mta-sts/fetch-policy.ts';
import { createPolicyStore, type PolicyStore } from '../protocol/mta-sts/policy-store.ts';
import { openSession, type SessionOptions } from '../protocol/smtp-client/open-session.ts';
import type { TlsOptions } from '../protocol/smtp-client/secure-socket.ts';
import { createSourceDirectory } from '../sources/source-directory.ts';
import { createWarmUpLeases } from '../sources/warm-up-leases.ts';
import type { ServiceContext } from './service-context.ts';

/** Where mail is taken to and how a connection is made there. */
interface Transport extends Pick<RemoteContext, 'router' | 'pace' | 'policies' | 'pickSource'> {
  open: PoolOptions['open'];
}

type Connecting = Pick<SessionOptions, 'timeouts' | 'signal' | 'ehlo_name'>;

/** The smarthost, when there is one, else each recipient's own servers. */
export function createTransport(context: ServiceContext, connecting: Connecting): Transport {
  const { smarthost } = context.config;
  return smarthost === undefined
    ? toRecipients(context, connecting)
    : toSmarthost(context, connecting, smarthost);
}

function toRecipients(context: ServiceContext, connecting: Connecting): Transport {
  const { config, clock, store, notifications } = context;
  const { mx_allow_private, mx_port } = config;
  return {
    // Unlimited until it throttles.
    pace: createPace({ max_mails_per_second: 10_000 }, monotonicClock),
    policies: mtaStsPolicies(context),
    pickSource: createSourcePicker({
      directory: createSourceDirectory(store.db, notifications),
      leases: createWarmUpLeases(store.db, clock),
      isLocal: createLocalAddresses(clock),
      clock,
    }),
    router: createRouteCache(
      createRouter({
        lookUp: createLookupCache(
          createRecordLookup({ servers: config.dns_servers, timeout_ms: 5_000, trust_ad: config.dnssec }),
        ),
        mx_allow_private,
        port: mx_port,
        own_names: [connecting.ehlo_name],
        own_addresses: mx_allow_private ? [] : config.public_addresses,
      }),
    ),
    open: async (target, need) =>
      await openSession({
        ...connecting,
        ehlo_name: target.source?.ehlo_name ?? connecting.ehlo_name,
        local_address: target.source?.address,
        host: target.address,
        port: mx_port,
        tls: {
          mode: need === 'opportunistic' || need === 'never' ? need : 'required',
          servername: target.host,
          verify: certificateCheck(target, clock),
        },
      }),
  };
}

function certificateCheck({ tls, dane }: Target, clock: Clock): TlsOptions['verify'] {
  if (dane) return (chain) => daneProblem(chain, { ...dane, now: clock.now() });
  return tls === 'verified' ? 'pkix' : 'none';
}

function toSmarthost({ config, clock, log }: ServiceContext, connecting: Connecting, url: string): Transport {
  const smarthost = readSmarthost(url);
  const { host: name, port, credentials } = smarthost;
  const most = config.smarthost_connections;
  return {
    pace: createPace(
      {
        initial_connections: most,
        max_connections: most,
        max_connections_per_host: most,
        max_mails_per_second: 10_000,
      },
      monotonicClock,
    ),
    // MTA-STS is about the recipients' servers, which the smarthost connects to.
    policies: { policyFor: async () => undefined },
    // The smarthost's address is what recipients see.
    pickSource: async () => anySource,
    router: createSmarthostRouter(smarthost, clock),
    async open({ address }, need) {
      const tls = smarthostTls(smarthost, { address, need });
      const opened = await openSession({ ...connecting, host: address, port, tls, credentials });
      if (opened.kind !== 'session' && opened.phase === 'auth') {
        const said = opened.kind === 'reply' ? `${opened.code} ${opened.text}` : opened.message;
        log.error({ smarthost: name, said }, 'the smarthost does not let us in; mail waits');
      }
      return opened;
    },
  };
}

function mtaStsPolicies({ config, clock }: ServiceContext): PolicyStore {
  const resolver = createResolver({ servers: config.dns_servers, timeout_ms: 5_000 });
  return createPolicyStore({
    txt: async (name) => await resolver.txt(name),
    fetchPolicy: createPolicyFetcher({
      addresses: async (name) => await resolver.addresses(name),
      allow_private: config.mx_allow_private,
    }),
    clock,
  });
}
