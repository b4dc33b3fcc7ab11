import type { Acceptance } from '../accept/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { FairLimiter } from '../base/fair-limiter.ts';
import type { ContentContext } from '../deliver/index.ts';
import type { DomainsContext } from '../domains/index.ts';
import type { InstanceDirectory } from '../instances/index.ts';
import type { TemplateRenderer } from '../templates/index.ts';
import type { WebhooksContext } from '../webhooks/index.ts';

/** What the routes of all services work with. */
export interface CompatContext {
  db: Database;
  clock: Clock;
  acceptance: Acceptance;
  instances: InstanceDirectory;
  /** Makes a message as its recipient gets it. */
  build: ContentContext['build'];
  platform_domain: string;
  domains: DomainsContext;
  webhooks: WebhooksContext;
  renderer: TemplateRenderer;
  /** Shares what reading takes between instances. */
  searches: FairLimiter;
  readonly base_url: string;
}
