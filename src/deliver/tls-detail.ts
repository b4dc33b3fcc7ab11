import type { AttemptDetails } from '../events/index.ts';
import type { Session } from '../protocol/smtp-client/session.ts';
import type { TlsNeed } from './targets.ts';

/** How the certificate was verified, written after protocol and cipher. */
const assurances: Partial<Record<TlsNeed, string>> = { dane: ' dane', verified: ' mta-sts' };

/** TLS of a session for the log of a mail; undefined in plaintext. */
export function tlsDetail(session: Session | undefined, need: TlsNeed): string | undefined {
  return session?.tls && `${session.tls.protocol} ${session.tls.cipher}${assurances[need] ?? ''}`;
}

export type TlsLabel = 'dane' | 'mta_sts' | 'opportunistic' | 'plaintext' | 'none';

/** The same for metrics; `none` where no session was opened. */
export function tlsLabel({ tls, local_ip }: AttemptDetails): TlsLabel {
  if (tls === undefined) return local_ip === undefined ? 'none' : 'plaintext';
  if (tls.endsWith(' dane')) return 'dane';
  return tls.endsWith(' mta-sts') ? 'mta_sts' : 'opportunistic';
}
