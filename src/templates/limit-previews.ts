import { Problem } from '../base/errors/problem.ts';
import type { Caller } from '../base/http/access.ts';
import type { SharedBuckets } from '../limits/index.ts';

/** Each preview parses and renders anew, MJML included. 0 is no limit. */
export async function limitPreviews(
  buckets: SharedBuckets,
  { instance, actor }: Caller,
  per_minute: number,
): Promise<void> {
  if (per_minute === 0) return;
  const key = `previews ${instance.id} ${actor.id}`;
  const taken = await buckets.take(key, 1, { rate: per_minute / 60, burst: per_minute });
  if (taken.ok) return;
  throw new Problem('rate_limit_exceeded', { retry_after_seconds: taken.retry_after_seconds });
}
