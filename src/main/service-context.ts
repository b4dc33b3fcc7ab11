import type { Acceptance } from '../accept/accept-mail.ts';
import type { BodyMemory } from '../base/body-memory.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Node } from '../base/engine/node.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { RootSecret } from '../base/secrets.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import type { HandOver } from '../deliver/hand-over.ts';
import type { CertificateSource } from '../certificates/certificate-source.ts';
import type { InstanceDirectory } from '../instances/instance-directory.ts';
import type { SharedBuckets } from '../limits/shared-buckets.ts';
import type { TemplateRenderer } from '../templates/template-renderer.ts';
import type { Tracking } from '../track/tracking.ts';
import type { Store } from './store.ts';

/** What the roles of one process share. */
export interface ServiceContext {
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Absent without a receiver of traces. */
  tracer: Tracer | undefined;
  store: Store;
  notifications: Notifications;
  secret: RootSecret;
  /** Of the TLS listeners. */
  certificates: CertificateSource;
  buckets: SharedBuckets;
  /** As mail programs reach them; a port that the system chooses is known once it listens. */
  submission_ports: { starttls: number; tls: number };
  body_memory: BodyMemory;
  instances: InstanceDirectory;
  /** Hands accepted mail to the delivery of this thread. */
  hand_over: HandOver;
  /** Of mail templates, for the rooms that create, send or show them. */
  renderer: TemplateRenderer;
  acceptance: Acceptance;
  tracking: Tracking;
  /** Throws `service_unavailable`, with the reason as its detail, while the process is not ready. */
  requireReady: () => Promise<void>;
  /** This process in the table of nodes. */
  node: Node;
  /** Why the clock is not trusted; undefined when it is. */
  clockError: () => string | undefined;
}

/** A component that has to be stopped: `abort` ends at once what `stop` waits for. */
export interface Running {
  stop(): Promise<void>;
  abort?(): void;
}
