import type { Agent } from 'undici';
import type { EndpointPolicy } from '../../base/outbound/endpoint-address.ts';

export interface ProviderAnswer {
  status: number;
  body: string;
}

/** GET without redirects; throws when there is no answer within the limits. */
export type AskProvider = (url: URL, signal: AbortSignal) => Promise<ProviderAnswer>;

const maxBytes = 64 * 1024;

/**
 * Asks servers that the owner of a domain chose by a DNS record: under the rules of webhooks for addresses, and with a
 * bound on what is read.
 */
export function createProviderClient(policy: EndpointPolicy): AskProvider {
  let agent: Promise<Agent> | undefined;

  /** Lazy: undici takes 10 MB. */
  async function openAgent(): Promise<Agent> {
    const { createGuardedAgent } = await import('../../base/outbound/guarded-agent.ts');
    return createGuardedAgent({ policy, connect_timeout_ms: 3_000 });
  }

  return async ({ origin, pathname, search }, signal) => {
    const connections = await (agent ??= openAgent());
    const path = pathname + search;
    const headers = { accept: 'application/json' };
    const { statusCode, body } = await connections.request({ origin, path, method: 'GET', headers, signal });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    return { status: statusCode, body: Buffer.concat(chunks).toString('utf8') };
  };
}
