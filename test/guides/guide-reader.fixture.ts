import { randomBytes } from 'node:crypto';
import { createMember } from '../../src/accounts/users.ts';
import { delegateKeys, publishRecords } from '../support/publish-domain.ts';
import type { DnsServer } from '../support/dns-server.ts';
import { signIn } from '../support/panel-user.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import type { Tenant, TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import type { WebhookSink } from '../support/webhook-sink.ts';

/** What surrounds the reader of the guides. */
export interface Surroundings {
  service: TestService;
  world: DnsServer;
  sink: WebhookSink;
  /** Empty ones that backups were restored into. */
  databases: TestDatabase[];
  folder: string;
}

const tokenIn = (link: string): string =>
  `select substring(convert_from(message.text, 'UTF8') from '${link}#([[:alnum:]_-]{43})') as value
   from mails m join messages message using (msg_id)
   where m.recipient like '%@' || (select slug from instances where id = $1) || '.example.com'
     and convert_from(message.text, 'UTF8') like '%${link}%' order by m.mail_id desc limit 1`;

/** Where a reader finds what a guide calls by these names: the newest one of the instance. */
const looked: Record<string, string> = {
  MAIL_ID: 'select mail_id as value from mails where instance_id = $1 order by mail_id desc limit 1',
  MSG_ID: 'select msg_id as value from mails where instance_id = $1 order by mail_id desc limit 1',
  SENDER_ID: 'select min(id) as value from senders where instance_id = $1',
  DOMAIN_ID: "select id as value from domains where instance_id = $1 and domain like 'news.%'",
  SANDBOX_ID: "select id as value from domains where instance_id = $1 and domain like '%.sandbox.test'",
  NEWS_SENDER_ID: "select max(id) as value from senders where instance_id = $1 and stream = 'broadcast'",
  BROADCAST_ID: 'select max(id) as value from broadcasts where instance_id = $1',
  TERM_ID: 'select max(id) as value from consent_terms where instance_id = $1',
  PURPOSE_ID: "select id as value from consent_purposes where instance_id = $1 and code = 'newsletter'",
  FORM_ID: 'select max(id) as value from forms where instance_id = $1',
  REQUEST_ID: 'select max(id) as value from rights_requests where instance_id = $1',
  WEBHOOK_ID: 'select max(id) as value from webhooks where instance_id = $1',
  DELIVERY_ID: `select max(d.id) as value from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where w.instance_id = $1`,
  TEMPLATE_ID: 'select max(id) as value from mail_templates where instance_id = $1',
  RESET_TOKEN: tokenIn('reset-password'),
  INVITATION_TOKEN: tokenIn('accept-invitation'),
};

export async function look(name: string, service: TestService, { instance }: Tenant): Promise<string> {
  const query = looked[name] ?? '';
  const find = async () =>
    (await service.db.query<{ value: string | number | null }>(query, [instance.id]))[0]?.value;
  return String(await waitFor(find, { what: query }));
}

/** What a reader finds in what was printed last. */
function readPrinted(printed: string, base_url: string): Record<string, string | undefined> {
  const last = (pattern: RegExp): string | undefined => [...printed.matchAll(pattern)].at(-1)?.[1];
  const path = last(/List-Unsubscribe:[^]*?<https?:\/\/[^/>]+(\/[^>]+)>/gi);
  return {
    LINK: path && `${base_url}${path}`,
    ANCHOR: last(/through (\d+:[\da-f]+)/g),
    TOKEN: last(/"access_token":"([^"]+)"/g),
    SMTP_USER: last(/(chq-\w+)/g),
    SMTP_PASSWORD: last(/password:? +(\S+)/gi),
  };
}

/**
 * What a reader puts in: addresses of the service, the key, ids, and names of their own. Accounts, domains and further
 * instances exist once in an installation, so that each reader has others.
 */
export async function asReader(
  piece: string,
  { service, sink, databases, folder }: Surroundings,
  { tenant, printed }: { tenant: Tenant; printed: string },
): Promise<string> {
  const { addresses } = service.service;
  const { slug } = tenant.instance;
  let lines = piece
    .replaceAll('http://localhost:8080', service.base_url)
    .replaceAll('http://localhost:9464', service.metrics_url.replace(/\/metrics$/, ''))
    .replaceAll('localhost:2525', String(addresses.inbound))
    .replaceAll('localhost:2587', String(addresses.submission?.starttls))
    .replaceAll('@203.0.113.5 -p 5300', `@${String(addresses.dns).replace(':', ' -p ')}`)
    .replaceAll('https://example.com/hooks/mail', sink.url)
    .replaceAll('/var/backups', folder)
    .replaceAll('chq.…', tenant.api_key)
    .replaceAll('CHASQUI_SECRET=…', `CHASQUI_SECRET=${randomBytes(32).toString('base64url')}`)
    .replaceAll(/(--slug|--instance) acme\b/g, `$1 acme-${slug}`)
    .replaceAll(/\b(ana|eva|you)@example\.com/g, `$1@${slug}.example.com`)
    .replaceAll(/\b(news|shop|offers)\.example\.com/g, `$1.${slug}.example.com`)
    .replaceAll(/\bdemo\b/g, slug);
  if (/--to postgresql:/.test(lines)) {
    const database = await createTestDatabase({ empty: true });
    databases.push(database);
    lines = lines.replaceAll('postgresql://chasqui@db/chasqui', database.url);
  }
  const [line = '', name = ''] = /^export (\w+)=\S+/.exec(lines) ?? [];
  const found = readPrinted(printed, service.base_url)[name] ?? (await find(name));
  return found === undefined ? lines : `export ${name}=${found}${lines.slice(line.length)}`;

  async function find(what: string): Promise<string | undefined> {
    if (what === 'TOKEN') return (await signIn(service, tenant, 'owner')).access_token;
    return what in looked ? await look(what, service, tenant) : undefined;
  }
}

/** What a reader types in one go: what they look up for an `export` stands in what came before it. */
export const piecesOf = (block: string): string[] => block.split(/^(?=export )/m);

/** Between two blocks the owner of the domain publishes what the first one printed. */
export async function publishDomain({ service, world }: Surroundings, tenant: Tenant): Promise<void> {
  const { json } = await tenant.api.get('/v1/domains?page_size=100');
  for (const { id, domain: name } of json.data) {
    // The sandbox has no keys.
    if (name.endsWith('.test')) continue;
    const { json: domain } = await tenant.api.get(`/v1/domains/${id}`);
    publishRecords(world, domain);
    await delegateKeys(world, domain, service.service.addresses.dns ?? '');
  }
}

/** The person a guide signs in as, unless an earlier guide has made them. */
export async function createAccount(text: string, { db }: TestService, tenant: Tenant): Promise<void> {
  if (!/"email": "eva@/.test(text)) return;
  const email = `eva@${tenant.instance.slug}.example.com`;
  const [known] = await db.query('select from users where email = $1', [email]);
  if (known) return;
  const user = { email, password: 'a long password', role: 'developer' as const };
  await db.transaction(
    async (tx) => await createMember(tx, tenant.instance.id, { user, actor: { kind: 'operator' } }),
  );
}
