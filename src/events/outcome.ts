import type { DropReason } from '../mails/index.ts';
import type { HoldReason, Reason, WaitReason } from './reasons.ts';

/** Contract §8: details of an attempt in the log of a mail. */
export interface AttemptDetails {
  attempt: number;
  remote_host?: string | undefined;
  remote_ip?: string | undefined;
  local_ip?: string | undefined;
  tls?: string | undefined;
  smtp_code?: number | undefined;
  enhanced_code?: string | undefined;
  response?: string | undefined;
  duration_ms?: number | undefined;
  detail?: string | undefined;
}

/** The outcome of one claimed mail. */
export type Outcome = {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  lease: string;
  /** As it was claimed (`queue/suspects.ts`): the node did not crash with it now. */
  crashes?: number | undefined;
  at: Date;
  details: AttemptDetails;
} & (
  | { verdict: 'sent' }
  | { verdict: 'deferred'; reason: Reason; next_attempt_at: Date }
  /** Nothing was sent: not counted as an attempt, no event, and the status stays. */
  | { verdict: 'postponed'; reason: WaitReason; next_attempt_at: Date }
  | { verdict: 'bounced'; reason: Reason; type: 'hard' | 'soft' | 'block' }
  | { verdict: 'dropped'; reason: DropReason }
  | { verdict: 'held'; reason: HoldReason }
);

/** Delivery status after each verdict (contract §7). */
export const statusAfter: Record<Outcome['verdict'], number | null> = {
  sent: 3,
  dropped: 4,
  deferred: 5,
  bounced: 6,
  held: 7,
  postponed: null,
};
