import type { ConnectionFailure, Phase } from './outcome.ts';
import type { TlsInfo } from './secure-socket.ts';

/** What a session tells about itself while it goes on. Of a message it tells nothing but the commands before it. */
export type ClientEvent =
  | { event: 'command'; line: string }
  | { event: 'reply'; phase: Phase; code: number; lines: readonly string[] }
  | { event: 'secured'; tls: TlsInfo }
  | { event: 'closed'; failure: ConnectionFailure };

export type ClientLog = (event: ClientEvent) => void;
