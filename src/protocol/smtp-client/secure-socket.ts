import { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  connect,
  createSecureContext,
  type DetailedPeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { readiness, type PhaseTimeout } from './connect-socket.ts';
import type { ConnectionFailure } from './outcome.ts';

/**
 * Verifies the certificate chain of a server, its own certificate first, then those that issued it, as far as sent: gives what
 * is wrong with it, undefined when nothing is.
 */
export type CertificateCheck = (chain: readonly X509Certificate[]) => string | undefined;

export interface TlsOptions {
  /** `opportunistic` is STARTTLS where it is offered, `implicit` is TLS from the first byte. */
  mode: 'opportunistic' | 'required' | 'never' | 'implicit';
  /** The name to ask for, and the one that a certificate must have under `pkix`. */
  servername: string;
  verify: 'none' | 'pkix' | CertificateCheck;
  /** From `clientTlsContext`; by default one that trusts the authorities Node comes with. */
  context?: SecureContext | undefined;
}

export interface TlsInfo {
  protocol: string;
  cipher: string;
  /** Whether the check that was asked for, or PKIX where none was, holds for the server. */
  verified: boolean;
  /** Why PKIX does not hold, when it does not. */
  problem: string | undefined;
}

export interface SecuredSocket {
  socket: TLSSocket;
  info: TlsInfo;
}

/** Make one and keep it: it is the costly part of a connection. */
export function clientTlsContext(options: { ca?: string | Buffer } = {}): SecureContext {
  return createSecureContext({ ...options, minVersion: 'TLSv1.2' });
}

let defaultContext: SecureContext | undefined;

/** Does the handshake over a connected socket, which is destroyed when that fails. */
export async function secureSocket(
  plain: Socket,
  options: TlsOptions,
  timeout: PhaseTimeout,
): Promise<SecuredSocket | ConnectionFailure> {
  const { servername, context = (defaultContext ??= clientTlsContext()) } = options;
  plain.on('error', () => undefined); // the secured socket reports it
  const socket = connect({
    socket: plain,
    // RFC 6066 §3: an address is not a server name.
    ...(isIP(servername) === 0 ? { servername } : { host: servername }),
    secureContext: context,
    rejectUnauthorized: false, // verified below; the log has the result even where it is not required
  });
  const failure = await readiness(socket, 'secureConnect', timeout);
  const problem = failure === undefined ? certificateProblem(socket, options) : undefined;
  if (failure === undefined && problem === undefined) return { socket, info: tlsInfo(socket, options) };
  socket.destroy();
  plain.destroy();
  const { phase } = timeout;
  if (failure === undefined) return { kind: 'tls', phase, message: problem ?? 'certificate refused' };
  // Whatever it died of: the server was not able to do its part of the handshake.
  return ['closed', 'unreachable', 'refused'].includes(failure.kind) ? { ...failure, kind: 'tls' } : failure;
}

function certificateProblem(socket: TLSSocket, { verify }: TlsOptions): string | undefined {
  if (verify === 'none') return undefined;
  if (verify === 'pkix') return pkixProblem(socket);
  try {
    return verify(peerChain(socket));
  } catch (error) {
    // The check reads what the server sent: that it chokes on it is the server's doing, and no reason to trust.
    return `the certificate could not be checked: ${String(error)}`;
  }
}

function pkixProblem(socket: TLSSocket): string | undefined {
  // The declared type is Error, but what stands there is the code of one, or null.
  const problem: unknown = socket.authorizationError;
  return socket.authorized ? undefined : `the certificate does not hold: ${String(problem)}`;
}

function peerChain(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  // A self-signed certificate is its own issuer, where the chain ends.
  while (next?.raw !== undefined) {
    chain.push(new X509Certificate(next.raw));
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate;
  }
  return chain;
}

function tlsInfo(socket: TLSSocket, { verify }: TlsOptions): TlsInfo {
  const problem = pkixProblem(socket);
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    verified: typeof verify === 'function' || problem === undefined,
    problem,
  };
}
