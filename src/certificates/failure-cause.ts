import { AcmeError } from '../protocol/acme/acme-session.ts';

/** Why an order failed, as an operator can act on it. */
export type FailureCause =
  | 'unknown_authority'
  | 'directory_unreachable'
  | 'dns'
  | 'port_80'
  | 'caa'
  | 'rate_limit'
  | 'refused_name'
  | 'other';

export interface OrderFailure {
  cause: FailureCause;
  message: string;
  /** What the authority asked for; 0 when it asked for nothing. */
  wait_seconds: number;
}

/** Types of RFC 8555 §6.7. What is wrong with the answer to a challenge is wrong with what port 80 leads to. */
const causesOfTypes: Record<string, FailureCause> = {
  dns: 'dns',
  connection: 'port_80',
  unauthorized: 'port_80',
  incorrectResponse: 'port_80',
  tls: 'port_80',
  caa: 'caa',
  rateLimited: 'rate_limit',
  rejectedIdentifier: 'refused_name',
  unsupportedIdentifier: 'refused_name',
};

/** Codes of OpenSSL for a chain that ends in a certificate that is not trusted here. */
const untrusted = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED)/;
const unreachable = /^(?:E[A-Z_]+|UND_ERR_.*)$/;

export function orderFailure(error: Error): OrderFailure {
  if (error instanceof AcmeError) {
    const cause = causesOfTypes[error.type.split(':').at(-1) ?? ''] ?? 'other';
    return { cause, message: error.message, wait_seconds: error.retry_after_seconds };
  }
  const below = error.cause as { code?: string; message?: string } | undefined;
  const code = below?.code ?? (error as NodeJS.ErrnoException).code ?? '';
  // fetch says only that it failed; why is below.
  const message = below?.message ? `${error.message}: ${below.message}` : error.message;
  const cause = untrusted.test(code)
    ? 'unknown_authority'
    : unreachable.test(code)
      ? 'directory_unreachable'
      : 'other';
  return { cause, message, wait_seconds: 0 };
}
