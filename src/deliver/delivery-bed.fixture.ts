import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Environment } from '../base/config.ts';
import { RootSecret } from '../base/secrets.ts';
import { createDomain } from '../domains/change-domain.ts';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { startRemoteMx, type RemoteMx, type RemoteMxOptions } from '../../test/support/remote-mx.ts';
import {
  startTestService,
  type Tenant,
  type TestService,
  type TestServiceOptions,
} from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

export const secret = new RootSecret('a root secret for tests, and for tests alone');
export const senderDomain = 'shop.example.test';
const actor = { kind: 'operator' } as const;

/** A domain with a mail server of its own: its scripts, limits and kept connections are no other test's. */
export interface Remote {
  domain: string;
  host: string;
  address: string;
  mx: RemoteMx;
}

export interface LoggedEvent {
  event: string;
  status: number;
  reason: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: Record<string, any>;
}

export interface DeliveryBed {
  dns: DnsServer;
  service: TestService;
  tenant: Tenant;
  domainId: number;
  /** That all remote servers listen on. */
  mx_port: number;
  /** A domain with a name and an address of its own, on which no server listens. */
  place(): { domain: string; host: string; address: string };
  remote(t: TestContext, options?: RemoteMxOptions): Promise<Remote>;
  send(to: string, more?: Record<string, unknown>): Promise<string>;
  /** Waits until the mail of this recipient has the status, and gives its log. */
  becomes(recipient: string, status: number, timeout_ms?: number): Promise<LoggedEvent[]>;
  secondsUntilDue(recipient: string): Promise<number>;
  restriction(recipient: string): Promise<{ reason: string; detail: string } | undefined>;
  stop(): Promise<void>;
}

/** The service with the delivery role, a verified domain, and remote servers on addresses of loopback. */
export async function startDeliveryBed(
  env: Environment = {},
  { roles = 'api,delivery', ...other }: Pick<TestServiceOptions, 'roles' | 'database' | 'config'> = {},
): Promise<DeliveryBed> {
  const dns = await startDnsServer({});
  // Holds the port that all remote servers share on their different addresses.
  const first = await startRemoteMx({});
  const service = await startTestService({
    roles,
    ...other,
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(first.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
      ...env,
    },
  });
  const tenant = await service.tenant();
  const domainId = await addVerifiedDomain(service, tenant);
  const places = createPlaces(dns);
  return {
    dns,
    service,
    tenant,
    domainId,
    mx_port: first.port,
    place: places,
    async remote(t, options = {}) {
      const place = places();
      const certificate = selfSignedCertificate({ names: [place.host], valid_from: new Date(0) });
      const mx = await startRemoteMx({
        name: place.host,
        host: place.address,
        port: first.port,
        certificate,
        ...options,
      });
      t.after(mx.stop);
      return { ...place, mx };
    },
    send: async (to, more) => await sendFrom(tenant, to, more),
    async becomes(recipient, status, timeout_ms = 20_000) {
      let seen: number | undefined;
      await waitFor(async () => (seen = await statusOf(service, recipient)) === status, {
        what: () => `status ${status} of ${recipient}, which has ${seen}`,
        timeout_ms,
      });
      return await logOf(service, recipient);
    },
    async secondsUntilDue(recipient) {
      const [row] = await service.db.query<{ seconds: number }>(
        `select extract(epoch from q.due_at - now())::float8 as seconds
         from queue q join mails m using (mail_id) where m.recipient = $1 and q.lease is null`,
        [recipient],
      );
      return row?.seconds ?? Number.NaN;
    },
    async restriction(recipient) {
      const [row] = await service.db.query<{ reason: string; detail: string }>(
        'select reason, detail from restrictions where instance_id = $1 and recipient = $2',
        [tenant.instance.id, recipient],
      );
      return row;
    },
    async stop() {
      await first.stop();
      await service.stop();
      await dns.stop();
    },
  };
}

export async function addVerifiedDomain(service: TestService, { instance }: Tenant, domain = senderDomain) {
  const options = { domain, platform_domain: 'chasqui.test', secret, actor };
  const id = await createDomain(service.db, instance.id, options);
  await service.db.query(
    `update domains set mx_status = 'verified', spf_status = 'verified', dkim_status = 'verified',
       dmarc_status = 'verified' where id = $1`,
    [id],
  );
  await service.db.query(
    `insert into senders (instance_id, domain_id, name, email_address, stream)
     values ($1, $2, 'Shop', 'hi@' || $3, 'transactional'), ($1, $2, 'Noticias Ñandú', 'news@' || $3, 'broadcast')`,
    [instance.id, id, domain],
  );
  return id;
}

function createPlaces(dns: DnsServer): DeliveryBed['place'] {
  let places = 1;
  return () => {
    places += 1;
    const place = { domain: `r${places}.test`, host: `mx.r${places}.test`, address: `127.0.0.${places}` };
    dns.set(place.domain, 'MX', [`10 ${place.host}`]);
    dns.set(place.host, 'A', [place.address]);
    return place;
  };
}

export async function sendFrom(
  tenant: Tenant,
  to: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { status, json, text } = await tenant.api.post('/v1/mails/send', {
    sender_email: `hi@${senderDomain}`,
    to: [{ email: to, name: 'Ana' }],
    subject: 'Hola',
    html: '<p>Hola <b>Ana</b></p>',
    ...more,
  });
  assert.equal(status, 200, text);
  return json.message_id;
}

async function statusOf({ db }: TestService, recipient: string): Promise<number | undefined> {
  const [row] = await db.query<{ status: number }>('select status from mails where recipient = $1', [
    recipient,
  ]);
  return row?.status;
}

async function logOf({ db }: TestService, recipient: string): Promise<LoggedEvent[]> {
  return await db.query<LoggedEvent>(
    `select e.event, e.status, e.reason, e.data from events e join mails m using (mail_id)
     where m.recipient = $1 order by e.event_id`,
    [recipient],
  );
}
