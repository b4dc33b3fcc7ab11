export { insertEvents, type NewEvent } from './insert-events.ts';
export type { AttemptDetails, Outcome } from './outcome.ts';
export { recordComplaint } from './record-complaint.ts';
export { type Engagement, recordEngagement } from './record-engagement.ts';
export { type LateBounceResult, recordLateBounce } from './record-late-bounce.ts';
export { recordOutcomes } from './record-outcomes.ts';
export {
  bounceReasons,
  type HoldReason,
  type NoRoute,
  type Reason,
  reasons,
  type WaitReason,
} from './reasons.ts';
export { recordResubscribe, recordUnsubscribe } from './record-unsubscribe.ts';
export { liftUnsubscribes } from './lift-unsubscribes.ts';
export { releaseHeld } from './release-held.ts';
export { dropQueued, isUntried } from './drop-queued.ts';
export { rescheduleQueued } from './reschedule-queued.ts';
export { personalData } from './personal-data.ts';
