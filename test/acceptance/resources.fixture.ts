import type { Operation } from '../../src/base/http/operation.ts';
import { createPurpose } from '../../src/consent/catalogue/change-purpose.ts';
import { createTerm } from '../../src/consent/catalogue/change-term.ts';
import { listPurposes } from '../../src/consent/catalogue/purposes.ts';
import type { NewConsentTerm } from '../../src/consent/catalogue/term-schemas.ts';
import { addVersion } from '../../src/consent/catalogue/term-versions.ts';
import { openConsentAccount } from '../../src/consent/consent-account.fixture.ts';
import { RootSecret } from '../../src/base/secrets.ts';
import { recordComplaint } from '../../src/events/record-complaint.ts';
import { recordUnsubscribe } from '../../src/events/record-unsubscribe.ts';
import { addRestriction } from '../../src/restrictions/change-restrictions.ts';
import { createForm } from '../../src/forms/change-form.ts';
import type { NewForm } from '../../src/forms/form-schemas.ts';
import { createApiKey } from '../../src/credentials/api-keys.ts';
import { createInvitation } from '../../src/accounts/invitations.ts';
import { createSmtpCredential } from '../../src/credentials/smtp-credentials.ts';
import { linkIdentity } from '../../src/accounts/single-sign-on/identities.ts';
import { saveView } from '../../src/accounts/saved-views.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { createMember } from '../../src/accounts/users.ts';
import { revokeDomainName } from '../../src/domains/change-domain.ts';
import { takeDownLinkHost } from '../../src/domains/link-takedowns.ts';
import { addSourceAddress } from '../../src/sources/source-addresses.ts';
import { createTemplate } from '../../src/templates/templates.ts';
import { renderer } from '../support/template-renderer.ts';
import { ReceivedLinks } from '../../src/received/received-links.ts';
import { createWebhook } from '../../src/webhooks/change-webhook.ts';
import { signIn, type PanelUser } from '../support/panel-user.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Tenant, TestService } from '../support/test-service.ts';

const mail_limits = {
  per_recipient_day: 0,
  per_instance_hour: 0,
  confirmations_per_instance_hour: 0,
  per_network_hour: 0,
};

/** A tenant with the two kinds of callers that operations know. */
export interface Actors extends Tenant {
  owner: PanelUser;
}

export async function createActors(service: TestService): Promise<Actors> {
  const tenant = await unhurriedTenant(service);
  return { ...tenant, owner: await signIn(service, tenant, 'owner') };
}

/** A tenant that may call as often as it likes: how often is not what these tests are about. */
export async function unhurriedTenant(service: TestService): Promise<Tenant> {
  const tenant = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [tenant.instance.id]);
  return tenant;
}

/** The headers with which the tenant may call the operation. */
export function credentialsFor({ access }: Operation, actors: Actors): Record<string, string> {
  const token = access.kind === 'api_key' ? actors.api_key : actors.owner.access_token;
  return { authorization: `Bearer ${token}`, 'x-instance-slug': actors.instance.slug };
}

const actor = { kind: 'operator' } as const;
/** The one that a test service has. */
const root = new RootSecret('a root secret for tests, and for tests alone');

type Params = Record<string, string | number>;
type Seed = (service: TestService, actors: Actors) => Promise<Params>;

/** With a file, whether it is parsed here or not. */
async function receivedMail({ db }: TestService, { api, instance }: Actors): Promise<string> {
  const [domain] = (await api.get('/v1/domains')).json.data;
  const local_part = `seed-${(made += 1)}`;
  const route = { domain_id: domain.id, name: 'Seed', match: 'exact', local_part, action: 'store' };
  await api.post('/v1/inbound-routes', route);
  const mail = { recipient: `${local_part}@${instance.slug}.sandbox.test`, subject: 'Seed', text: 'Hi' };
  const { id } = (await api.post('/v1/received-mails', mail)).json;
  await waitFor(async () => (await api.get(`/v1/received-mails/${id}`)).json.state === 'parsed', {
    what: 'the received mail to be parsed',
  });
  await db.query(
    `insert into received_forwards (received_mail_id, instance_id, address, state, reason)
     values ($1, $2, 'seed@example.org', 'refused', 'not_agreed') on conflict do nothing`,
    [id, instance.id],
  );
  await db.query(
    `insert into received_attachments (received_mail_id, n, content_type, disposition, encoding, starts_at, encoded_bytes, size_bytes)
     values ($1, 1, 'image/png', 'attachment', 'identity', 0, 4, 4) on conflict do nothing`,
    [id],
  );
  return id;
}

/** The sandbox has no records to look up. */
const domainToPublish: Seed = async ({ db }, { instance }) => {
  const [row] = await db.query<{ id: number }>(
    `insert into domains (instance_id, domain, ownership_token) values ($1, $2, md5($2)) returning id`,
    [instance.id, `seed-${(made += 1)}.example.com`],
  );
  return { id: row?.id ?? 0 };
};

/**
 * One resource of each kind: the beginning of its operations' paths, and how to make one and name it. The panel's
 * operations, below /v1/private, share the seeds of the public ones.
 */
const seeds: Record<string, Seed> = {
  '/v1/fields': async (_service, { api }) => {
    const field = { name: 'Seed', field_key: `SEED_${(made += 1)}`, type: 'text' };
    return { id: (await api.post('/v1/fields', field)).json.id };
  },
  '/v1/domains': async ({ db }, { instance }) => {
    const [row] = await db.query<{ id: number; domain: string }>(
      'select id, domain from domains where instance_id = $1 limit 1',
      [instance.id],
    );
    return { id: row?.id ?? 0, domain_name: row?.domain ?? '' };
  },
  '/v1/domains/{domain_name}/lookup': async () => ({ domain_name: 'example.com' }),
  '/v1/domains/{id}/dns': domainToPublish,
  '/v1/domains/{id}/connect': domainToPublish,
  '/v1/inbound-messages': async ({ db }, { instance }) => {
    const [row] = await db.query<{ id: number }>(
      `insert into inbound_messages (instance_id, recipient, header_from, subject, remote_ip, size_bytes, raw, received_at)
       values ($1, 'postmaster@example.com', '', 'Seed', '127.0.0.1', 4, $2, now()) returning id`,
      [instance.id, Buffer.from('Seed')],
    );
    return { id: row?.id ?? 0 };
  },
  '/v1/inbound-routes': async (_service, { api }) => {
    const [domain] = (await api.get('/v1/domains')).json.data;
    const route = { domain_id: domain.id, name: 'Seed', match: 'exact', local_part: `seed-${(made += 1)}` };
    return { id: (await api.post('/v1/inbound-routes', { ...route, action: 'store' })).json.id };
  },
  '/v1/received-mails': async (service, actors) => ({ id: await receivedMail(service, actors), n: 1 }),
  '/v1/forward-addresses': async ({ db }, { instance }) => {
    const [row] = await db.query<{ id: number }>(
      'insert into forward_addresses (instance_id, address) values ($1, $2) returning id',
      [instance.id, `seed-${(made += 1)}@example.org`],
    );
    return { id: row?.id ?? 0 };
  },
  '/v1/reply-withdrawals': async (service, actors) => {
    const received_mail_id = await receivedMail(service, actors);
    await service.db.query(
      `insert into reply_withdrawals (received_mail_id, instance_id, mail_id, recipient, words, language, is_authentic)
       select $1, $2, mail_id, recipient, 'baja', 'es', true from mails where mail_id = $3`,
      [received_mail_id, actors.instance.id, await sendMail(service, actors)],
    );
    return { received_mail_id };
  },
  '/v1/received-files': async (service, actors) => {
    const file = { id: await receivedMail(service, actors), n: 'raw' } as const;
    return { token: new ReceivedLinks(root, () => '').url(file, new Date()).replace(/^.*\//, '') };
  },
  '/v1/senders': async ({ db }, { instance }) => {
    const [row] = await db.query<{ id: number }>(
      `insert into senders (instance_id, domain_id, name, email_address)
       select instance_id, id, 'Seed', $2 || '@' || domain from domains where instance_id = $1 and is_sandbox
       returning id`,
      [instance.id, `seed-${(made += 1)}`],
    );
    return { id: row?.id ?? 0 };
  },
  '/v1/mails': async (service, actors) => {
    const mail_id = await sendMail(service, actors);
    // For the lists of what happened to mails.
    await service.db.query(
      `insert into events (event_id, mail_id, msg_id, instance_id, at, event, data)
       select (left(uuid_at(now())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, mail_id, msg_id,
         instance_id, now(), event, '{}'
       from mails, unnest(array['opened', 'clicked', 'bounced']) as event where mail_id = $1`,
      [mail_id],
    );
    return { mail_id, position: 1 };
  },
  '/v1/messages': async (service, actors) => {
    const mail_id = await sendMail(service, actors);
    const [mail] = await service.db.query<{ msg_id: string }>('select msg_id from mails where mail_id = $1', [
      mail_id,
    ]);
    return { message_id: mail?.msg_id ?? '' };
  },
  '/v1/sandbox-messages': async (service, actors) => {
    const mail_id = await sendMail(service, actors);
    await service.db.query(
      `insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at)
       values ($1, $2, 'delivered@sandbox.test', $3, now())`,
      [mail_id, actors.instance.id, Buffer.from('Subject: Seed\r\n\r\nSeed\r\n')],
    );
    return { mail_id };
  },
  '/v1/webhooks': async ({ db }, { instance }) => {
    // No server listens there; a test of it is refused before a connection is made.
    const webhook = { name: 'Seed', url: 'https://127.0.0.1:9/hook' };
    const { id } = await createWebhook(db, instance.id, { webhook, root, actor, now: new Date() });
    const [delivery] = await db.query<{ id: number }>(
      `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
       values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'mail.sent', now(), now(), now()) returning id`,
      [id, instance.id],
    );
    return { id, delivery_id: delivery?.id ?? 0 };
  },
  '/v1/mail-complaints': async (service, actors) => {
    const mail_id = await sendMail(service, actors);
    await recordComplaint(service.db, { mail_id, type: 'spam', comment: 'Seed', at: new Date() });
    return { mail_id };
  },
  '/v1/mail-unsubscribes': async (service, actors) => {
    const mail_id = await sendMail(service, actors);
    await recordUnsubscribe(service.db, { mail_id, method: 'page', reason: 'Seed', at: new Date() });
    return { mail_id };
  },
  '/v1/mail-restrictions': async ({ db }, { instance }) => {
    const restriction = { recipient: `seed-${(made += 1)}@example.com` };
    const { id } = await addRestriction(db, instance.id, { restriction, actor: { kind: 'operator' } });
    return { id };
  },
  '/v1/queue/destinations': async () => ({ destination: 'example.com' }),
  '/v1/mail-templates': async ({ db }, { instance }) => {
    const template = { name: 'Seed', subject: 'Seed', source: '<p>Seed</p>' };
    const { id } = await createTemplate(db, instance.id, { template, actor, renderer });
    return { template_id: id, version: 1 };
  },
  '/v1/consent-purposes': async ({ db }, { instance }) => {
    const purpose = { code: `seed-${(made += 1)}`, name: 'Seed' };
    return { id: (await createPurpose(db, instance.id, { purpose, actor })).id };
  },
  '/v1/consent-terms': async ({ db }, { instance }) => {
    const { data } = await listPurposes(db, instance.id, { page_size: 1 });
    const term: NewConsentTerm = {
      name: 'Seed',
      type: 'other',
      channels: ['mail'],
      purpose_ids: [data[0]?.id ?? 0],
    };
    return await db.transaction(async (tx) => {
      const { id } = await createTerm(tx, instance.id, { term, actor });
      const version = { version: '1', body: 'Seed' };
      const added = await addVersion(tx, instance.id, { term_id: id, version, actor });
      return { id, version_id: added.id };
    });
  },
  '/v1/consent-events': async (service, actors) => {
    const { recordAllow } = await openConsentAccount(service, actors);
    return { id: (await recordAllow('seed@example.com')).id };
  },
  '/v1/contacts': async (service, actors) => {
    const contact = `seed-${(made += 1)}@example.com`;
    const { recordAllow } = await openConsentAccount(service, actors);
    await recordAllow(contact);
    return { contact };
  },
  '/v1/contact-imports': async (service, actors) => {
    const { first } = await openConsentAccount(service, actors);
    const { json } = await actors.api.post('/v1/contact-imports', {
      term_id: first.id,
      method: 'single_opt_in',
      origin: 'Seed',
      consented_at: '2026-01-01T00:00:00Z',
      csv: `email\nseed-${(made += 1)}@example.com\n`,
    });
    return { id: json.id };
  },
  '/v1/rights-requests': async (_service, { api }) => {
    const contacts = [{ contact: 'seed@example.com', contact_type: 'email_address' }];
    return { id: (await api.post('/v1/rights-requests', { kind: 'access', contacts })).json.id };
  },
  '/v1/api-keys': async ({ db }, { instance }) => {
    const key = { name: 'seed', scopes: ['mail:read'], ip_allowlist: [] };
    return { key_id: (await createApiKey(db, instance.id, { key, actor })).id };
  },
  // For the list of alerts too, which nobody makes by a call.
  '/v1/alert-rules': async ({ db }, { instance }) => {
    await db.query(
      `insert into alerts (instance_id, kind, object_id, object_name, raised_at)
       values ($1, 'domain_failed', $2, 'seed.example.com', now())`,
      [instance.id, `seed ${(made += 1)}`],
    );
    return { kind: 'bounce_rate' };
  },
  '/v1/broadcasts': async ({ db }, { instance }) => {
    const [row] = await db.query<{ id: number }>(
      `with template as (
         insert into mail_templates (instance_id, name, editor) values ($1, 'Seed', 'html') returning id
       )
       insert into broadcasts (instance_id, name, sender_id, template_id, purpose_id, audience, group_code, state, created_at, updated_at)
       select $1, 'Seed', s.id, template.id, p.id, '{}', 'broadcast-seed-' || gen_random_uuid(), 'draft', now(), now()
       from template, senders s, consent_purposes p where s.instance_id = $1 and p.instance_id = $1 limit 1 returning id`,
      [instance.id],
    );
    return { id: row?.id ?? 0 };
  },
  '/v1/annotations': async (_service, { api }) => ({
    id: (await api.post('/v1/annotations', { text: 'Seed' })).json.id,
  }),
  '/v1/smtp-credentials': async ({ db }, { instance }) => ({
    username: (await createSmtpCredential(db, instance.id, { name: 'seed', actor })).username,
  }),
  '/v1/account/sessions': async ({ db }, { owner }) => {
    const where = { now: new Date(), address: '127.0.0.1', user_agent: 'seed' };
    return { id: (await startSession(db, owner.id, where)).id };
  },
  '/v1/account/passkeys': async ({ db }, { owner }) => {
    const [row] = await db.query<{ id: number }>(
      `insert into passkeys (user_id, credential_id, public_key, sign_count, name, is_backed_up, created_at)
       values ($1, uuid_send(gen_random_uuid()), 'x', 0, 'seed', false, now()) returning id`,
      [owner.id],
    );
    return { id: row?.id ?? 0 };
  },
  '/v1/account/identities': async ({ db }, { owner }) => {
    const identity = { issuer: 'https://id.example.com', subject: `seed ${(made += 1)}`, email: undefined };
    const person = { ...identity, is_email_verified: false, name: '' };
    await linkIdentity(db, owner.id, { identity: person, email: 'seed@example.com', now: new Date() });
    const [row] = await db.query<{ id: number }>('select max(id) as id from user_identities');
    return { id: row?.id ?? 0 };
  },
  '/v1/saved-views': async ({ db }, { instance, owner }) => {
    const view = { list: 'mails', name: `seed ${(made += 1)}`, search: {} };
    const whose = { instance_id: instance.id, user_id: owner.id };
    return { id: (await saveView(db, whose, { view, now: new Date() })).id };
  },
  '/v1/operator/instances': async (service) => ({ slug: (await service.tenant()).instance.slug }),
  '/v1/operator/jobs': async ({ db }) => {
    await db.query(`insert into jobs (name, next_run_at) values ('seed', 'infinity') on conflict do nothing`);
    return { name: 'seed' };
  },
  '/v1/operator/sources': async ({ db }) => {
    const address = `192.0.2.${(made += 1) % 256}`;
    const source = { address, ehlo_name: 'seed.example.com', pool: 'seed', warms_up: false };
    await addSourceAddress(db, source, actor).catch(() => undefined);
    return { address };
  },
  '/v1/operator/domain-revocations': async ({ db }) => {
    await revokeDomainName(db, 'seed.example.org', actor);
    return { domain: 'seed.example.org' };
  },
  '/v1/operator/link-takedowns': async ({ db }) => {
    await takeDownLinkHost(db, { host: 'seed.example.org', reason: null, actor });
    return { host: 'seed.example.org' };
  },
  '/v1/operator/erasures': async (_service, { api }) => {
    const contacts = [{ contact: 'seed@example.com', contact_type: 'email_address' }];
    const { id } = (await api.post('/v1/rights-requests', { kind: 'erasure', contacts })).json;
    await api.post(`/v1/rights-requests/${id}/fulfil`, {});
    return { id };
  },
  '/v1/operator/checks': async () => ({ check: 'clock' }),
  '/v1/team/members': async ({ db }, { instance }) => {
    const user = { email: `seed-${(made += 1)}@example.com`, password: 'a long password', role: 'viewer' };
    return { user_id: (await createMember(db, instance.id, { user, actor })).id };
  },
  '/v1/team/invitations': async ({ db }, { instance }) => {
    const wanted = { email: `seed-${(made += 1)}@example.com`, role: 'viewer' } as const;
    // Older than what is counted in a day.
    const now = new Date(Date.now() - 2 * 24 * 3_600_000);
    const creation = { wanted, actor, now, mail_limits };
    return { id: (await createInvitation(db, instance.id, creation)).invitation.id };
  },
  '/v1/forms': async ({ db }, { instance }) => {
    const form: NewForm = { name: 'Seed', kind: 'advanced', type: 'registration', items: [] };
    return await db.transaction(async (tx) => {
      const { id } = await createForm(tx, instance.id, { form, actor });
      const [row] = await tx.query<{ id: number }>(
        `insert into form_submissions (instance_id, form_id, status, answers, created_at, confirmed_at)
         values ($1, $2, 'confirmed', '{}', now(), now()) returning id`,
        [instance.id, id],
      );
      return { id, submission_id: row?.id ?? 0 };
    });
  },
};
let made = 0;

/** Parameters that name nothing of anybody's, so that there is nothing to be kept from others. */
const ownerless = ['/v1/queue/destinations', '/v1/domains/{domain_name}/lookup', '/v1/alert-rules'];

export function namesResource({ path, access }: Operation): boolean {
  const shared = path.replace('/v1/private/', '/v1/');
  // What needs no credentials belongs to the holder of its link.
  return (
    access.kind !== 'open' &&
    path.includes('{') &&
    !ownerless.some((each) => shared === each || shared.startsWith(`${each}/`))
  );
}

/** The example of a body, with the tenant's own sandbox in the place of the demo's. */
export function exampleFor({ body_example }: Operation, { instance }: Actors): unknown {
  const text = JSON.stringify(body_example ?? {});
  return JSON.parse(text.replaceAll('demo.sandbox.test', `${instance.slug}.sandbox.test`));
}

/** From the tenant's sandbox to the sandbox: nothing of it leaves this machine. */
async function sendMail({ db }: TestService, { api, instance }: Actors): Promise<string> {
  const mail = {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Seed',
    html: '<p>Seed</p>',
    category: 'seed',
    attachments: [{ filename: 'seed.txt', type: 'text/plain', content: 'U2VlZA==' }],
  };
  const { message_id } = (await api.post('/v1/mails/send', mail)).json;
  const [row] = await db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    message_id,
  ]);
  return row?.mail_id ?? '';
}

export function hasParams({ path }: Operation): boolean {
  return path.includes('{');
}

/** Makes what the operation's path names; throws when this table does not say how. */
export async function seedFor(operation: Operation, service: TestService, actors: Actors): Promise<Params> {
  const path = operation.path.replace('/v1/private/', '/v1/');
  const prefix = Object.keys(seeds)
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .sort((a, b) => b.length - a.length)[0];
  const seed = prefix === undefined ? undefined : seeds[prefix];
  if (!seed) {
    throw new Error(
      `${operation.id} (${operation.path}) has no seed: add the beginning of its path to \`seeds\` in ${import.meta.filename}, with a function that makes such a resource and gives the parameters of its path`,
    );
  }
  const params = await seed(service, actors);
  const missing = namesIn(operation.path).filter((name) => !params[name]);
  if (missing.length > 0)
    throw new Error(`the seed '${prefix}' gives no ${missing.join()}, which ${operation.path} needs`);
  return params;
}

export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

export function fillPath(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name])));
}
