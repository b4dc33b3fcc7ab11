import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createHttpApp, type HttpAppOptions } from '../../src/base/http/app.ts';
import { operation, type Operation } from '../../src/base/http/operation.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { Problem } from '../../src/base/errors/problem.ts';

export interface TinyApp {
  base_url: string;
  logged: string[];
  connections(): Promise<number>;
  stop(): Promise<void>;
}

/** Only the HTTP layer, with operations of the test's own. */
export async function startTinyApp(
  operations: Operation[],
  more: Partial<HttpAppOptions> = {},
): Promise<TinyApp> {
  const logged: string[] = [];
  const app = createHttpApp({
    operations,
    pages: [],
    authenticate: async () => {
      throw new Problem('unauthorized');
    },
    base_url: 'http://localhost',
    trust_proxy: false,
    log: createLog('info', { write: (line) => void logged.push(line) }),
    metrics: createMetrics(),
    ...more,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    base_url: `http://127.0.0.1:${port}`,
    logged,
    connections: async () =>
      await promisify((done: (error: Error | null, count: number) => void) =>
        app.server.getConnections(done),
      )(),
    async stop() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** An operation that anyone may call and that has only what the test says. */
export function openOperation(
  part: Pick<Operation, 'path'> & Partial<Operation>,
  handle: (call: unknown) => Promise<unknown>,
): Operation {
  const plain = operation({
    id: part.path.replaceAll(/\W+/g, '_'),
    method: 'GET',
    path: part.path,
    tag: 'Test',
    summary: 'Of a test',
    description: 'Of a test.',
    access: { kind: 'open' },
    success: { status: 200, description: 'Done.' },
    errors: [],
    handle,
  });
  return { ...plain, ...part };
}
