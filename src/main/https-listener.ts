import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { sharing } from './listener-threads.ts';
import type { ServiceContext } from './service-context.ts';

/** A client that does not finish its handshake holds a socket meanwhile. */
const handshakeMs = 10_000;
const plainPaths = /^\/(?:healthz|readyz|\.well-known\/acme-challenge\/[^/]*)(?:\?|$)/;

export interface HttpsListener {
  address: string;
  close(): void;
}

/** TLS in front of the same HTTP server: it treats what comes out of a TLS socket as it does any connection. */
export async function startHttps(
  app: FastifyInstance,
  { config, certificates, log }: ServiceContext,
): Promise<HttpsListener | undefined> {
  if (config.https_port === undefined) return undefined;
  let used = certificates.current();
  const server = createServer(
    { ...used, ALPNProtocols: ['http/1.1'], minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs },
    (socket: TLSSocket) => void app.server.emit('connection', socket),
  );
  // Before the handshake: a certificate that was renewed needs no restart.
  server.prependListener('connection', (_socket: Socket) => {
    try {
      const current = certificates.current();
      if (current === used) return;
      server.setSecureContext({ ...current, minVersion: 'TLSv1.2' });
      used = current;
    } catch (error) {
      log.error({ err: error as Error }, 'the certificate cannot be used; the one before is');
    }
  });
  server.on('tlsClientError', (_error, socket) => void socket.destroy());
  server.listen({ host: config.host, port: config.https_port, ...sharing(config) });
  await once(server, 'listening');
  // Without a listener a failed accept would end the process.
  server.on('error', (error) => log.error({ err: error }, 'https could not accept a connection'));
  const address = `${config.host}:${(server.address() as AddressInfo).port}`;
  log.info({ address }, 'https is listening');
  return { address, close: () => void server.close() };
}

/** The plain port leads over to https, so that a key or session is not sent unencrypted twice. */
export function secureOnly(address: { readonly base_url: string }): (app: FastifyInstance) => void {
  return (app) => {
    if (!address.base_url.startsWith('https:')) return;
    app.addHook('onRequest', async (request, reply) => {
      if (request.protocol === 'https') {
        reply.header('strict-transport-security', 'max-age=31536000');
      } else if (!plainPaths.test(request.url)) {
        await reply.redirect(`${address.base_url}${request.url}`, 308);
      }
    });
  };
}
