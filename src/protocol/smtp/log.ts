import type { CapRefusal } from './connection-caps.ts';
import type { SessionInfo, Peer } from './handlers.ts';

export type CloseReason =
  | 'quit'
  | 'client_left'
  | 'refused'
  | 'timed_out'
  | 'evicted'
  | 'tls_failed'
  | 'server_stopped'
  | 'server_ended';

/** Events of a server, for logs and metrics. */
export type SmtpEvent =
  | { event: 'listener_failed'; error: unknown }
  | { event: 'connection_refused'; peer: Peer; reason: CapRefusal }
  | { event: 'opened'; session: SessionInfo }
  | { event: 'authenticated'; session: SessionInfo; username: string }
  | { event: 'auth_failed'; session: SessionInfo; username: string; throttled: boolean }
  | { event: 'message'; session: SessionInfo; code: number; size: number; recipients: number }
  | { event: 'handler_failed'; session: SessionInfo; error: unknown }
  | { event: 'tls_failed'; session: SessionInfo; error: unknown }
  | { event: 'closed'; session: SessionInfo; reason: CloseReason };

export type SmtpLog = (event: SmtpEvent) => void;
