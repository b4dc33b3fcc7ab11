/**
 * `plain`: transactional. `news`: broadcast, so that who unsubscribed gets none. `club`: transactional, and only to those
 * who agreed.
 */
export type SenderKind = 'plain' | 'news' | 'club';

export interface Planned {
  id: string;
  at_ms: number;
  /** Which of the nodes that can take it. */
  at_node: number;
}

/** What one send says. */
export interface PlannedMail {
  sender: SenderKind;
  /** Indexes of people. */
  to: number[];
  /** Addresses in other letters than before. */
  is_shouted: boolean;
  group: string | undefined;
  category: string | undefined;
  /** When it is to be sent, from the beginning of the plan. */
  schedule_at_ms: number | undefined;
}

/** How it is sent. */
export interface PlannedCall {
  /** The client leaves after so long, without an answer if it takes longer. */
  leaves_after_ms: number | undefined;
  /** Of callers who name their send, and so may send it again. */
  key: PlannedKey | undefined;
}

export interface PlannedSend extends Planned, PlannedMail, PlannedCall {
  kind: 'send';
  over: 'http' | 'smtp';
}

/** Many mails with one call. */
export interface PlannedBatch extends Planned, PlannedCall {
  kind: 'batch';
  on_error: 'skip' | 'reject';
  /** `is_wrong`: it must be refused. */
  mails: (PlannedMail & { is_wrong: boolean })[];
}

export interface PlannedKey {
  /** How often they ask while they get no answer, or are asked to come again. */
  tries: number;
  /** Once it was acknowledged they ask once more, after so long. */
  again_after_ms: number | undefined;
  /** Then they use the key for something else, which is a mistake. */
  is_misused: boolean;
}

export interface PlannedConsent extends Planned {
  kind: 'consent';
  person: number;
  action: 'allow' | 'deny';
}

/** What a person does with a mail that they got. */
export interface PlannedReaction extends Planned {
  kind: 'unsubscribe' | 'resubscribe' | 'complain' | 'open' | 'click';
  person: number;
}

export interface PlannedRight extends Planned {
  kind: 'erasure' | 'blocking' | 'opposition';
  person: number;
}

export interface PlannedLift extends Planned {
  kind: 'lift';
  /** The operation that blocked. */
  of: string;
}

/** Somebody fills in a form, and confirms a while later. */
export interface PlannedForm extends Planned {
  kind: 'form';
  address: string;
  confirms_after_ms: number | undefined;
}

/** Of the webhook that comes and goes; another one stays. */
export interface PlannedWebhook extends Planned {
  kind: 'pause webhook' | 'resume webhook';
}

/** Of a message that was acknowledged. */
export interface PlannedChange extends Planned {
  kind: 'cancel' | 'reschedule';
  /** The send. */
  of: string;
  /** The new time. */
  schedule_at_ms: number;
}

export interface PlannedRead extends Planned {
  kind: 'read';
  /** A send before it. */
  of: string;
}

export type PlannedOperation =
  | PlannedSend
  | PlannedBatch
  | PlannedConsent
  | PlannedReaction
  | PlannedRight
  | PlannedLift
  | PlannedForm
  | PlannedWebhook
  | PlannedChange
  | PlannedRead;
