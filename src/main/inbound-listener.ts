import { Counter } from 'prom-client';
import { createDomainHolders } from '../domains/domain-holders.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { createSmtpServer } from '../protocol/smtp/server.ts';
import { createOutageLog } from '../base/engine/outage-log.ts';
import { createRouteDirectory, createReceivedStore } from '../received/index.ts';
import { createTakingLimits } from '../inbound/session/taking-limits.ts';
import { inboundHandlers } from '../inbound/session/inbound-handlers.ts';
import { configuredResolver } from './platform-services.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Contract §19. */
const max_message_bytes = 25 * 1024 * 1024;
/** RFC 5321 §4.5.3.1.8 asks for as many. */
const max_recipients = 100;
const limits = {
  max_connections: 500,
  max_connections_per_source: 20,
  max_refused_recipients: 20,
};

/** A receipt that is not stored by then is refused for now: the sending server has it still. */
const storedWithinMs = 20_000;

/** The listener that MX records point to (port 25): bounces, complaints, reports, and mail for routes. */
export async function startInbound(context: ServiceContext): Promise<Running & { address: string }> {
  const { config, store, notifications, clock, log, metrics, secret } = context;
  const { db } = store;
  const taken = new Counter({
    name: 'chasqui_inbound_messages_total',
    help: 'Inbound messages by result.',
    labelNames: ['taken'],
    registers: [metrics.registry],
  });
  const { current: tls } = context.certificates;
  tls();
  const ending = new AbortController();
  const outage = createOutageLog(log, 'storing received mail');
  const storeReceived = createReceivedStore({
    db,
    within_ms: storedWithinMs,
    signal: ending.signal,
    onOutage: outage.failed,
    onWorking: outage.worked,
  });
  const server = createSmtpServer({
    name: `mx.${config.platform_domain}`,
    secure: false,
    tls,
    require_auth: false,
    max_message_bytes,
    max_recipients,
    limits,
    hold: (_user, { peer }) => context.body_memory.ofSource(peer.address),
    // Reports come from programs of any age. What is sent on has whole line ends only, so theirs cannot be misused.
    bare_newlines: 'fix',
    nul: 'keep',
    handlers: inboundHandlers({
      db,
      clock,
      log,
      tokens: new MailTokens(secret),
      holdersOf: createDomainHolders(db, notifications),
      routesOf: createRouteDirectory(db, notifications),
      storeReceived,
      taking: createTakingLimits(context.buckets, {
        per_domain: config.inbound_per_domain_second,
        per_instance: config.inbound_per_instance_second,
      }),
      messages_per_second: config.inbound_per_source_second,
      platform_domain: config.platform_domain,
      resolver: configuredResolver(config),
      dmarc_quota: {
        per_reporter: config.dmarc_reports_per_reporter,
        per_domain: config.dmarc_reports_per_domain,
      },
      now: () => performance.now(),
      count: (what) => taken.inc({ taken: what }),
    }),
    log: (event) => {
      if ('error' in event) log.warn({ err: event.error as Error, event: event.event }, 'inbound SMTP error');
    },
  });
  const { host, port } = await server.listen({ host: config.host, port: config.inbound_port });
  const address = `${host}:${port}`;
  log.info({ address }, 'inbound is listening');
  return {
    address,
    stop: async () => await server.stop({ within_ms: config.stop_timeout_ms }),
    abort: () => ending.abort(),
  };
}
