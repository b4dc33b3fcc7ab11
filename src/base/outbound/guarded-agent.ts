import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { lookupIn } from '../../protocol/address/lookup-in.ts';
import { EndpointRefused, findEndpoint, mayConnectTo, type EndpointPolicy } from './endpoint-address.ts';

interface ConnectorOptions {
  policy: EndpointPolicy;
  connect_timeout_ms: number;
}

/** An undici agent that only connects to allowed addresses. */
export function createGuardedAgent(options: ConnectorOptions): Agent {
  return new Agent({
    connect: createGuardedConnector(options),
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    pipelining: 1,
  });
}

/**
 * Checks the address three times: in the URL, after the DNS lookup, and on the connected socket. A custom `lookup` by itself is
 * not enough: undici does not call it for IP literals, and a second lookup may return another address (DNS rebinding).
 */
function createGuardedConnector({ policy, connect_timeout_ms }: ConnectorOptions): buildConnector.connector {
  async function connect(options: buildConnector.Options): Promise<Socket> {
    const found = await findEndpoint(options.hostname, policy);
    if (!found.ok) throw new EndpointRefused(found.reason);
    const open = buildConnector({
      allowH2: false,
      rejectUnauthorized: true,
      timeout: connect_timeout_ms,
      maxCachedSessions: 0,
      lookup: lookupIn(found.addresses),
      autoSelectFamily: true,
    });
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    open(options, (...[error, socket]) => (error ? reject(error) : resolve(socket)));
    const socket = await promise;
    if (mayConnectTo(socket.remoteAddress ?? '', policy)) return socket;
    socket.destroy();
    throw new EndpointRefused('address_not_allowed');
  }
  const open = callbackify(connect);
  return (options, callback) =>
    open(options, (error: Error | null, socket) => (error ? callback(error, null) : callback(null, socket)));
}
