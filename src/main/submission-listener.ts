import { sendLimits } from '../accept/send-schema.ts';
import { submissionHandlers } from '../accept/submission.ts';
import { createSmtpAuthentication } from '../credentials/smtp-credentials.ts';
import { createAuthThrottle } from '../protocol/smtp/auth-throttle.ts';
import { createConnectionCaps } from '../protocol/smtp/connection-caps.ts';
import { defaultLimits, type SmtpLimits } from '../protocol/smtp/limits.ts';
import { createSmtpServer } from '../protocol/smtp/server.ts';
import type { Config } from '../base/config.ts';
import { sharing } from './listener-threads.ts';
import type { Running, ServiceContext } from './service-context.ts';
import { countSubmission } from './submission-metrics.ts';

/** Two listeners for mail clients: STARTTLS (port 587) and implicit TLS (465). */
export async function startSubmission(
  context: ServiceContext,
): Promise<Running & { addresses: { starttls: string; tls: string } }> {
  const { config, store, notifications, clock, log, metrics, body_memory } = context;
  const authenticate = createSmtpAuthentication(store.db, notifications, clock);
  const handlers = submissionHandlers({ ...context, authenticate });
  const { current: tls } = context.certificates;
  // Files that cannot be read are found at the start, not by the first caller.
  tls();
  const limits = limitsOf(config);
  // The throttle and the connection limits cover both listeners.
  const { auth_failures, auth_forget_ms, auth_max_entries } = limits;
  const throttle = createAuthThrottle(
    { failures: auth_failures, forget_ms: auth_forget_ms, max_entries: auth_max_entries },
    () => performance.now(),
  );
  const caps = createConnectionCaps(limits);
  const noteEvent = countSubmission(metrics.registry, caps);
  const open = (secure: boolean) =>
    createSmtpServer({
      name: `mx.${config.platform_domain}`,
      secure,
      tls,
      require_auth: true,
      allow_plaintext_auth: config.smtp_allow_plaintext,
      max_message_bytes: sendLimits.message_bytes,
      max_recipients: sendLimits.recipients,
      limits,
      handlers,
      throttle,
      hold: (user, { peer }) =>
        user ? body_memory.ofInstance(user.instance_id) : body_memory.ofSource(peer.address),
      caps,
      log: (event) => {
        noteEvent(event);
        if ('error' in event)
          log.warn({ err: event.error as Error, event: event.event }, 'SMTP submission error');
      },
    });
  const servers = { starttls: open(false), tls: open(true) };
  const listen = async (kind: keyof typeof servers, port: number): Promise<string> => {
    const bound = await servers[kind].listen({ host: config.host, port, ...sharing(config) });
    context.submission_ports[kind] ||= bound.port;
    return `${bound.host}:${bound.port}`;
  };
  const stop = async (): Promise<void> => {
    const within = { within_ms: config.stop_timeout_ms };
    await Promise.all(Object.values(servers).map(async (server) => await server.stop(within)));
  };
  try {
    const addresses = {
      starttls: await listen('starttls', config.submission_port),
      tls: await listen('tls', config.submissions_port),
    };
    log.info(addresses, 'submission is listening');
    return { addresses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function limitsOf(config: Config): SmtpLimits {
  return {
    ...defaultLimits,
    max_connections: config.submission_max_connections,
    max_connections_per_source: config.submission_max_connections_per_source,
    max_unauthenticated: config.submission_max_unauthenticated,
    max_unauthenticated_per_source: config.submission_max_unauthenticated_per_source,
    auth_timeout_ms: config.submission_auth_timeout_seconds * 1000,
    max_commands_before_auth: config.submission_commands_before_auth,
    // Messages are sent unchanged: a longer line would be refused or truncated on the way (RFC 5322 §2.1.1).
    max_line_bytes: 998,
  };
}
