import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startDnsServer, type Records } from '../../../test/support/dns-server.ts';
import { createLookupCache } from '../../protocol/dns/client/lookup-cache.ts';
import { createRecordLookup } from '../../protocol/dns/client/record-lookup.ts';
import { createRouter, type Route, type RouterOptions } from './router.ts';

interface Served extends Partial<RouterOptions> {
  /** Of a question. Short only where a server stays silent. */
  timeout_ms?: number;
}

/** A router over a DNS server of the test's own, with real packets between them. */
export async function serveRoutes(
  t: TestContext,
  records: Records,
  { timeout_ms = 20_000, ...options }: Served = {},
) {
  const server = await startDnsServer({ records });
  t.after(server.stop);
  const lookUp = createLookupCache(createRecordLookup({ servers: [server.address], timeout_ms }));
  const router = createRouter({
    lookUp,
    mx_allow_private: false,
    own_names: ['MX.chasqui.test.'],
    ...options,
  });
  return { server, route: async (domain: string) => await router.route(domain) };
}

export function namesOf(route: Route): string[] {
  assert.equal(route.kind, 'hosts', JSON.stringify(route));
  return route.kind === 'hosts' ? route.hosts.map(({ name }) => name) : [];
}
