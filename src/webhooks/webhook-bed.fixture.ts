import type { TestContext } from 'node:test';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import {
  startTestService,
  type Tenant,
  type TestService,
  type TestServiceOptions,
} from '../../test/support/test-service.ts';
import { startWebhookSink, type SinkOptions, type WebhookSink } from '../../test/support/webhook-sink.ts';

export interface CreatedEndpoint {
  id: number;
  secret: string;
}

export interface WebhookBed {
  dns: DnsServer;
  service: TestService;
  sink(t: TestContext, options?: SinkOptions): Promise<WebhookSink>;
  stop(): Promise<void>;
}

/** The service with a DNS server that tests can script, and endpoints on loopback allowed unless said otherwise. */
export async function startWebhookBed({ env, ...options }: TestServiceOptions = {}): Promise<WebhookBed> {
  const dns = await startDnsServer({});
  const service = await startTestService({
    ...options,
    env: { CHASQUI_DNS_SERVERS: dns.address, CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true', ...env },
  });
  return {
    dns,
    service,
    async sink(t, sinkOptions) {
      const sink = await startWebhookSink(sinkOptions);
      t.after(sink.stop);
      return sink;
    },
    async stop() {
      await service.stop();
      await dns.stop();
    },
  };
}

/** A webhook made through the API. */
export async function createEndpoint(
  { api }: Tenant,
  url: string,
  more: Record<string, unknown> = {},
): Promise<CreatedEndpoint> {
  const answer = await api.post('/v1/webhooks', { name: 'Endpoint', url, ...more });
  if (answer.status !== 201) throw new Error(`creating a webhook was answered with ${answer.text}`);
  return answer.json;
}
