import type { SecureContext } from 'node:tls';
import type { DataLimits } from './data-reader.ts';
import type { SmtpLimits } from './limits.ts';
import type { SessionOptions } from './session-state.ts';

/** What one connection needs to know: its session's options, and what is for the wire alone. */
export interface ConnectionSettings<User> extends SessionOptions<User> {
  limits: SmtpLimits;
  /** TLS before the greeting. */
  secure: boolean;
  tls_context: SecureContext | undefined;
  /** How long the greeting is held back to refuse who speaks first; 0 is not at all. */
  early_talker_wait_ms: number;
  data: DataLimits;
  onAuthenticated(): void;
  onClose(): void;
}
