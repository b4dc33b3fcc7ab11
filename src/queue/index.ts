export { give_up_after_ms, retryDelaySeconds } from './backoff.ts';
export { retryMail } from './change-queue.ts';
export { type ClaimedMail, type ClaimRequest, createClaim } from './claim.ts';
export { enqueue, type QueueEntry } from './enqueue.ts';
export type { PausedDestinations } from './paused-destinations.ts';
export { type createSuspects, maxCrashes } from './suspects.ts';
export { viewQueue } from './queue-view.ts';
