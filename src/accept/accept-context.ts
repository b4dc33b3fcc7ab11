import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { IdSequence } from '../base/ids.ts';
import type { ConsentLookup } from '../consent/verdict.ts';
import type { SenderDirectory } from '../domains/sender-directory.ts';
import type { InstanceDirectory } from '../instances/instance-directory.ts';
import type { SharedBuckets } from '../limits/shared-buckets.ts';
import type { Categories } from '../mails/categories.ts';
import type { AddressLookup } from '../restrictions/address-lookup.ts';
import type { TemplateCache } from '../templates/template-cache.ts';
import type { TemplateRenderer } from '../templates/template-renderer.ts';
import type { createPlanReset } from '../limits/plan-usage.ts';
import type { GroupCommit } from './group-commit.ts';

/** What the steps of accepting a mail share. */
export interface AcceptContext {
  db: Database;
  clock: Clock;
  instances: InstanceDirectory;
  senders: SenderDirectory;
  templates: TemplateCache;
  renderer: Pick<TemplateRenderer, 'render'>;
  categories: Categories;
  buckets: SharedBuckets;
  forgetPlan: ReturnType<typeof createPlanReset>;
  findConsent: ConsentLookup;
  findRestricted: AddressLookup;
  findUnsubscribed: AddressLookup;
  ids: IdSequence;
  commits: GroupCommit;
}
