import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';

/**
 * Carries one message to a server and its answer back, without the streams of the package's own transport: a call of a tool
 * costs a quarter of what it costs there (docs/decisions/mcp.md).
 */
class ExchangeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #answered = Promise.withResolvers<JSONRPCMessage | undefined>();

  async start(): Promise<void> {}

  /** Notifications of a server are dropped, since clients do not listen; what has an id is the answer. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('result' in message || 'error' in message) this.#answered.resolve(message);
  }

  async close(): Promise<void> {
    this.#answered.resolve(undefined);
    this.onclose?.();
  }

  async exchange(message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> {
    this.onmessage?.(message);
    return 'id' in message && 'method' in message ? await this.#answered.promise : undefined;
  }
}

/** The answer to a request; undefined to what asks for none. */
export async function exchangeMessage(
  server: Server,
  message: JSONRPCMessage,
): Promise<JSONRPCMessage | undefined> {
  const transport = new ExchangeTransport();
  await server.connect(transport);
  try {
    return await transport.exchange(message);
  } finally {
    await server.close();
  }
}
