import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { EndpointRefused, findEndpoint, mayConnectTo, type EndpointPolicy } from './endpoint-address.ts';

interface ConnectorOptions {
  policy: EndpointPolicy;
  connect_timeout_ms: number;
}

/** Connections to endpoints, kept open for a while. */
export function createGuardedAgent(options: ConnectorOptions): Agent {
  return new Agent({
    connect: createGuardedConnector(options),
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    pipelining: 1,
  });
}

/**
 * Connects to addresses that may be connected to, judged three times: what the URL says, what DNS says now, and what
 * the socket is connected to in the end. undici asks a lookup of one's own for names alone, so a literal address would
 * go unseen; and between a check and a connection that looks the name up again, DNS may say something else.
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

/** Connections go to the addresses that were judged, and to no others. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const all: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  return (_host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (wantsAll || first === undefined) callback(null, all);
    else callback(null, first.address, first.family);
  };
}
