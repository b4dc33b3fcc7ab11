import type { ByteHold } from '../byte-budget.ts';
import type { AuthThrottle } from './auth-throttle.ts';
import type { SessionInfo, SmtpHandlers, Verdict } from './handlers.ts';
import type { SmtpLog } from './log.ts';
import type { Reply } from './reply.ts';

export interface SessionLimits {
  /** Protocol errors since the last accepted message. */
  max_errors: number;
  /** Commands outside a transaction since the last message. */
  max_idle_commands: number;
  /** Lines until AUTH succeeds, where it is required. */
  max_commands_before_auth: number;
  /** Recipients refused in one transaction, for whatever reason. */
  max_refused_recipients: number;
}

export interface SessionOptions<User> {
  /** Name of this server, in the greeting and after EHLO. */
  name: string;
  session: SessionInfo;
  /** Whether STARTTLS is offered. */
  start_tls: boolean;
  /** Whether MAIL needs AUTH before it. */
  require_auth: boolean;
  /** Lets clients on the loopback interface use AUTH without TLS; others never may. */
  allow_plaintext_auth: boolean;
  max_message_bytes: number;
  max_recipients: number;
  limits: SessionLimits;
  handlers: SmtpHandlers<User>;
  throttle?: AuthThrottle;
  /** Memory budget of a message, from DATA until it is answered. */
  hold?(user: User | undefined, session: SessionInfo): ByteHold;
  log?: SmtpLog;
}

/** Shared by the parts of a session. */
export interface SessionState<User> {
  readonly options: SessionOptions<User>;
  readonly info: SessionInfo;
  greeted: 'no' | 'helo' | 'ehlo';
  authenticated: boolean;
  user: User | undefined;
  smtputf8: boolean;
}

/** RFC 3848 and RFC 6531 §4.3 name the protocol after what was used of it. */
export function nameProtocol(state: SessionState<unknown>): string {
  if (state.greeted !== 'ehlo') return 'SMTP';
  const base = state.smtputf8 ? 'UTF8SMTP' : 'ESMTP';
  return `${base}${state.info.tls === undefined ? '' : 'S'}${state.authenticated ? 'A' : ''}`;
}

/** The answer of a handler, or the fallback when it fails; the error is logged and not sent to the client. */
export function ask<T>(
  state: SessionState<unknown>,
  question: () => T | Promise<T>,
  fallback: Reply,
): T | Reply | Promise<T | Reply> {
  const fail = (error: unknown): Reply => {
    state.options.log?.({ event: 'handler_failed', session: state.info, error });
    return fallback;
  };
  try {
    const answer = question();
    return answer instanceof Promise ? answer.catch(fail) : answer;
  } catch (error) {
    return fail(error);
  }
}

export const isAcceptance = (verdict: Verdict): boolean =>
  verdict === undefined || (verdict.code >= 250 && verdict.code <= 259);

export const isRefusal = (reply: Reply): boolean => reply.code >= 400 && reply.code <= 599;
