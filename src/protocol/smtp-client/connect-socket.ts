import { connect, isIP, type Socket } from 'node:net';
import type { ConnectionFailure, Phase } from './outcome.ts';

export interface SocketOptions {
  /** An IP address: the one that was resolved and allowed. */
  host: string;
  port: number;
  local_address?: string | undefined;
}

export interface PhaseTimeout {
  phase: Phase;
  timeout_ms: number;
  signal: AbortSignal | undefined;
}

export async function connectSocket(
  { host, port, local_address }: SocketOptions,
  timeout: PhaseTimeout,
): Promise<Socket | ConnectionFailure> {
  if (isIP(host) === 0) throw new TypeError(`not an IP address: ${host}`);
  // Commands are written whole, so waiting for more to send along (Nagle) only adds delay.
  const localAddress = local_address === undefined ? {} : { localAddress: local_address };
  const socket = connect({ host, port, noDelay: true, ...localAddress });
  return (await readiness(socket, 'connect', timeout)) ?? socket;
}

/** Waits for a socket to be connected or secured. When it does not come to that, the socket is destroyed. */
export async function readiness(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { phase, timeout_ms, signal }: PhaseTimeout,
): Promise<ConnectionFailure | undefined> {
  const { promise, resolve } = Promise.withResolvers<ConnectionFailure | undefined>();
  const failWith = (kind: ConnectionFailure['kind'], message: string) => () =>
    resolve({ kind, phase, message });
  const onReady = (): void => resolve(undefined);
  const onError = (error: Error): void => resolve(socketFailure(error, phase));
  const onClose = failWith('closed', 'the connection was closed');
  const onAbort = failWith('aborted', 'the session was called off');
  const timer = setTimeout(
    failWith('timeout', `not ${event === 'connect' ? 'connected' : 'secured'} within ${timeout_ms} ms`),
    timeout_ms,
  );
  socket.once(event, onReady).once('close', onClose).on('error', onError);
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  const failure = await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', onAbort);
  socket.off(event, onReady).off('close', onClose);
  if (failure === undefined) socket.off('error', onError);
  else socket.destroy(); // which may still report an error: the listener stays
  return failure;
}

const connectionKinds: Record<string, ConnectionFailure['kind']> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'closed',
  ECONNABORTED: 'closed',
  EPIPE: 'closed',
};

export function socketFailure(error: NodeJS.ErrnoException, phase: Phase): ConnectionFailure {
  const { message, code: error_code = '' } = error;
  const isTls = error_code.startsWith('ERR_SSL') || error_code.startsWith('ERR_TLS');
  const otherwise = phase === 'connect' ? 'unreachable' : 'closed';
  const kind = isTls ? 'tls' : (connectionKinds[error_code] ?? otherwise);
  return { kind, phase, message, error_code };
}
