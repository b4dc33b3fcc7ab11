import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { IdSequence } from '../base/ids.ts';
import type { ConsentLookup } from '../consent/index.ts';
import type { SenderDirectory } from '../domains/index.ts';
import type { InstanceDirectory } from '../instances/index.ts';
import type { createPlanReset, SharedBuckets } from '../limits/index.ts';
import type { Categories } from '../mails/index.ts';
import type { SuppressionLookup, UnsubscribeLookup } from '../restrictions/index.ts';
import type { TemplateCache, TemplateRenderer } from '../templates/index.ts';
import type { AnswerOnce } from './answer-once.ts';
import type { GroupCommit } from './group-commit.ts';

export interface AcceptContext {
  db: Database;
  clock: Clock;
  instances: InstanceDirectory;
  senders: SenderDirectory;
  templates: TemplateCache;
  renderer: Pick<TemplateRenderer, 'render' | 'variables'>;
  categories: Categories;
  buckets: SharedBuckets;
  resetPlan: ReturnType<typeof createPlanReset>;
  findConsent: ConsentLookup;
  findSuppressed: SuppressionLookup;
  findUnsubscribed: UnsubscribeLookup;
  ids: IdSequence;
  commits: GroupCommit;
  answerOnce: AnswerOnce;
  /** Whether mail of forms from a sandbox sender is captured for every recipient, since nothing can leave. */
  keeps_forms_inside: boolean;
}
