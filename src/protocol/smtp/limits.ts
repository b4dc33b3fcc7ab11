import type { CapLimits } from './connection-caps.ts';
import type { SessionLimits } from './session-state.ts';

export interface SmtpLimits extends SessionLimits, CapLimits {
  /** Messages held in memory by all connections together, until they are answered. */
  max_held_bytes: number;
  max_line_bytes: number;
  /** From the greeting to the first command. */
  first_command_timeout_ms: number;
  /** For each whole command line after that; single bytes do not prolong it. */
  command_timeout_ms: number;
  /** Between any two pieces of a message. */
  data_timeout_ms: number;
  /** From MAIL to the final dot. */
  transaction_timeout_ms: number;
  tls_timeout_ms: number;
  /** From the connection to a successful AUTH, where it is required; no command prolongs it. */
  auth_timeout_ms: number;
  /** Failed AUTH attempts from one source or for one user name, and the time after which one is forgotten. */
  auth_failures: number;
  auth_forget_ms: number;
  /** Sources and user names the throttle remembers. */
  auth_max_entries: number;
}

export const defaultLimits: SmtpLimits = {
  max_errors: 10,
  max_idle_commands: 200,
  max_commands_before_auth: 20,
  max_refused_recipients: 1000,
  max_connections: 1000,
  max_connections_per_source: 100,
  max_unauthenticated: 500,
  max_unauthenticated_per_source: 50,
  max_held_bytes: 256 * 1024 * 1024,
  max_line_bytes: 65_536,
  first_command_timeout_ms: 30_000,
  command_timeout_ms: 60_000,
  data_timeout_ms: 60_000,
  transaction_timeout_ms: 600_000,
  tls_timeout_ms: 10_000,
  auth_timeout_ms: 60_000,
  auth_failures: 5,
  auth_forget_ms: 60_000,
  auth_max_entries: 10_000,
};
