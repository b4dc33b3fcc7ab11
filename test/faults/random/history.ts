import type { SenderKind } from './plan/planned.ts';
import type { FaultKind } from './plan/plan-faults.ts';

/** What the caller knows: `unanswered` when the connection broke or the wait was over, so that it may stand or not. */
export type Outcome = 'acknowledged' | 'refused' | 'unanswered';

/** One request with its answer. Times are of the clock of the bed. */
export interface Entry {
  /** The operation of the plan. */
  id: string;
  kind: string;
  node: string;
  began_at: number;
  ended_at: number;
  outcome: Outcome;
  /** Status of HTTP or SMTP; 0 without an answer. */
  status: number;
  /** The code of a refusal, or what went wrong. */
  reply: string;
  request: Request;
  /** What was answered. */
  answer: Record<string, unknown>;
}

export interface Request {
  /** Of a send. */
  sender?: SenderKind;
  /** Of a send, one that the caller can find it by. */
  custom_msg_id?: string;
  /** Whom it is about, in lower case. */
  addresses?: string[];
  action?: string;
  /** Of a send or its change: when the mail is to go out. */
  schedule_at?: number;
  /** Of a change: the send. */
  of?: string;
  /** Of a batch: its mails. */
  items?: Request[];
  /** Of a batch: those of its mails that must be refused. */
  refused?: string[];
  /** Whether the caller named it with a key. */
  is_keyed?: boolean;
  /** Identifies the mail that a person reacts to, by the subject. */
  subject?: string;
}

/** One fault that was made. */
export interface FaultEntry {
  kind: FaultKind;
  node: string | undefined;
  from: number;
  until: number;
}

/** A whole message that came to a remote server. */
export interface MailReceipt {
  /** Whose server it came to: each node has one of its own. */
  node: string;
  /** When MAIL came, when 354 went out, when the final dot came. */
  began_at: number;
  asked_at: number;
  taken_at: number;
  /** When the reply went out; undefined when none did. */
  answered_at: number | undefined;
  /** Of the reply, 0 when the connection was cut in its place. */
  code: number;
  to: string;
  subject: string;
  /** Of the links in it, by what they are for. */
  tokens: Record<string, string>;
}

/** One request at a webhook. */
export interface HookReceipt {
  hook: string;
  id: string;
  at: number;
  /** 0 without an answer. */
  status: number;
  type: string;
  data: Record<string, unknown>;
}

/** All that was asked, answered, broken and received, and nothing that the service says of itself. */
export interface History {
  entries: Entry[];
  faults: FaultEntry[];
  mails: MailReceipt[];
  hooks: HookReceipt[];
}

export function createHistory(): History {
  return { entries: [], faults: [], mails: [], hooks: [] };
}
