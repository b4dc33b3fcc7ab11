import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

/** Undefined while no certificate is available. The given options are not changed: new options are a new object. */
export type TlsSource = () => SecureContextOptions | undefined;

/**
 * Asks for the options at every connection, so that a new certificate holds from the next one on, and makes a context
 * only when they have changed: parsing a certificate and its key takes longer than all else at a connection's start.
 */
export function createTlsContexts(source: TlsSource): () => SecureContext | undefined {
  let options: SecureContextOptions | undefined;
  let context: SecureContext | undefined;
  return () => {
    const current = source();
    if (current === undefined) return undefined;
    if (context === undefined || options === undefined || !isSame(options, current)) {
      context = createSecureContext({
        // Lets clients resume a session; without renegotiation there is one handshake for each connection.
        sessionIdContext: 'smtp',
        secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
        ...current,
      });
      options = current;
    }
    return context;
  };
}

function isSame(one: SecureContextOptions, other: SecureContextOptions): boolean {
  if (one === other) return true;
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(other).length) return false;
  const values = new Map<string, unknown>(Object.entries(other));
  return entries.every(([key, value]) => values.get(key) === value);
}
