import type { TestContext } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../base/db/database.ts';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import {
  startTestService,
  type Tenant,
  type TestService,
  type TestServiceOptions,
} from '../../test/support/test-service.ts';
import { startWebhookSink, type SinkOptions, type WebhookSink } from '../../test/support/webhook-sink.ts';

/** Events are held back by open transactions of all tests that share the database server. */
export const eventTimeoutMs = 60_000;

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
      return {
        ...sink,
        get connections() {
          return sink.connections;
        },
        waitForRequests: async (count, timeout_ms = eventTimeoutMs) =>
          await sink.waitForRequests(count, timeout_ms),
      };
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

export interface EventSeed {
  event?: string;
  at?: Date;
  reason?: string | null;
  data?: Record<string, unknown>;
}

/** Accepts one mail to hang events on, without sending it. */
export async function acceptMail(
  { api, instance }: Tenant,
  more: Record<string, unknown> = {},
): Promise<string> {
  const answer = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
    ...more,
  });
  if (answer.status !== 200) throw new Error(`sending was answered with ${answer.text}`);
  return answer.json.message_id;
}

/** Writes events of a message's first mail straight into the log, as other rooms will. */
export async function addEvents(db: Database, msgId: string, seeds: EventSeed[]): Promise<string[]> {
  const ids = seeds.map(({ at = new Date() }) => uuidv7({ msecs: at.getTime() }));
  await db.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
     select e.event_id, m.mail_id, m.msg_id, m.instance_id, e.at, e.event, e.reason, e.data
     from (select mail_id, msg_id, instance_id from mails where msg_id = $1 order by mail_id limit 1) as m,
       unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::jsonb[]) as e (event_id, at, event, reason, data)`,
    [
      msgId,
      ids,
      seeds.map(({ at = new Date() }) => at),
      seeds.map(({ event = 'opened' }) => event),
      seeds.map(({ reason = null }) => reason),
      seeds.map(({ data = {} }) => JSON.stringify(data)),
    ],
  );
  return ids;
}

/** One open of each message's mails, in one commit. */
export async function addEventToEach(db: Database, msgIds: string[]): Promise<void> {
  const at = new Date();
  await db.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event)
     select e.event_id, m.mail_id, m.msg_id, m.instance_id, $3, 'opened'
     from unnest($1::uuid[], $2::uuid[]) as e (event_id, msg_id) join mails m using (msg_id)`,
    [msgIds.map(() => uuidv7({ msecs: at.getTime() })), msgIds, at],
  );
}
