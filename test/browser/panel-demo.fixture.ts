import type { Domain } from '../../src/domains/domain-schemas.ts';
import type { DnsServer } from '../support/dns-server.ts';
import assert from 'node:assert/strict';
import { setOperator } from '../../src/accounts/users.ts';
import { createAdministrationDemo, type AdministrationDemo } from './administration-demo.fixture.ts';
import { createConsentDemo, type ConsentDemo } from './consent-demo.fixture.ts';
import { createBroadcastDemo, type BroadcastDemo } from './broadcast-demo.fixture.ts';
import { createContactDemo } from './contact-demo.fixture.ts';
import { createFormDemo } from './form-demo.fixture.ts';
import { writeDemoMails } from './mail-demo.fixture.ts';
import { createLogin, signIn, type Login, type PanelUser } from '../support/panel-user.ts';
import type { Tenant, TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createReceivingDemo } from './receiving-demo.fixture.ts';
import { createDemoTemplates } from './panel-templates.fixture.ts';

export interface PanelDemo extends AdministrationDemo, BroadcastDemo {
  tenant: Tenant;
  owner: Login;
  /** A mail that bounced, and one that was delivered. */
  bounced: string;
  delivered: string;
  domain_id: number;
  /** Verified, though its ownership was never looked up. */
  verified_domain_id: number;
  template_id: number;
  consent: ConsentDemo;
  form_id: number;
  /** A received mail that answers the delivered one. */
  received: string;
}

const html = `<div style="font-family:Georgia,serif;max-width:560px;margin:0 auto;padding:24px;color:#222">
<h1 style="color:#0b6b53;font-size:22px">Thank you for your order</h1>
<p>Dear reader, your books are on their way. You can <a href="https://example.com/orders/1001">follow your order</a>.</p>
<table style="width:100%;border-collapse:collapse"><tr style="background:#f3f3f3"><td style="padding:8px">Pedro Páramo</td><td style="padding:8px;text-align:right">$ 12.900</td></tr>
<tr><td style="padding:8px">Canto general</td><td style="padding:8px;text-align:right">$ 18.500</td></tr></table></div>`;

const recipients: [string, string][] = [
  ['delivered+ana@sandbox.test', 'Your order 1001'],
  ['open+luis@sandbox.test', 'Your order 1002'],
  ['click+marta@sandbox.test', 'Novedades de noviembre'],
  ['bounce+pedro@sandbox.test', 'Your order 1003'],
  ['softbounce+rosa@sandbox.test', 'Your invoice 2001'],
  ['complaint+ivan@sandbox.test', 'Novedades de noviembre'],
  ['delivered+sofia@sandbox.test', 'Reset your password'],
  ['unsubscribe+tomas@sandbox.test', 'Novedades de noviembre'],
];

/** Half done, with the usual mistakes: another SPF record, a zone that was appended twice, a copied key. */
function publishDemoRecords(
  dns: DnsServer,
  { ownership_cname, mx, dkim, dmarc }: Domain['dns_records'],
): void {
  const zone = 'altiplano.example';
  dns.set(zone, 'NS', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']);
  dns.set(zone, 'MX', ['1 aspmx.l.google.com', '5 alt1.aspmx.l.google.com']);
  dns.set(mx.host, 'MX', [`10 ${mx.value}`]);
  dns.set(mx.host, 'TXT', ['v=spf1 include:_spf.google.com ~all']);
  dns.set(ownership_cname.host, 'CNAME', [ownership_cname.value]);
  const [first, second] = dkim;
  if (first) dns.set(first.host, 'CNAME', [first.value]);
  if (second) dns.set(second.host, 'TXT', ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQ']);
  dns.set(`${dmarc.host}.${zone}`, 'TXT', [dmarc.value]);
}

/** An instance in which something happened, for pictures and walks. */
export async function createPanelDemo(service: TestService, dns?: DnsServer): Promise<PanelDemo> {
  const tenant = await service.tenant({
    slug: 'altiplano',
    instance: { name: 'Librería Altiplano', timezone: 'America/Santiago' },
  });
  const owner = await createLogin(service, tenant, 'owner');
  await setOperator(service.db, owner.email, { is_operator: true, actor: { kind: 'operator' } });
  const user = await signIn(service, tenant, 'owner');
  const created = await user.post('/v1/private/domains', { domain: 'mail.altiplano.example' });
  if (dns) publishDemoRecords(dns, created.json.dns_records);
  const verified_domain_id = await createVerifiedDomain(service, user);
  const sender = await user.post('/v1/private/senders', {
    name: 'Librería Altiplano',
    email_address: 'pedidos@correo.altiplano.example',
  });
  assert.equal(sender.status, 201, sender.text);
  await writeDemoMails({ service, tenant, sender_id: sender.json.id });
  await user.post('/v1/private/mail-restrictions', {
    recipient: 'nunca@example.com',
    detail: 'Asked by phone',
  });
  const template_id = await createDemoTemplates(user);
  for (const [email, subject] of recipients) {
    await tenant.api.post('/v1/mails/send', {
      sender_email: `test@${tenant.instance.slug}.sandbox.test`,
      to: [{ email }],
      subject,
      html,
      text: 'Thank you for your order.',
      custom_group_code: 'november',
    });
  }
  const statusOf = async (email: string, status: number): Promise<string> =>
    await waitFor(
      async () => {
        const { json } = await tenant.api.get(
          `/v1/mails?recipient=${encodeURIComponent(email)}&status=${status}`,
        );
        return (json.data as { mail_id: string }[])[0]?.mail_id;
      },
      { what: `the outcome of ${email}`, timeout_ms: 20_000 },
    );
  const consent = await createConsentDemo({ service, tenant, user });
  await createContactDemo(user, consent.term_id);
  const delivered = await statusOf('click+marta@sandbox.test', 3);
  return {
    tenant,
    owner,
    verified_domain_id,
    ...(await createAdministrationDemo(service, tenant, user)),
    bounced: await statusOf('bounce+pedro@sandbox.test', 6),
    delivered,
    received: await createReceivingDemo({
      service,
      tenant,
      domain_id: verified_domain_id,
      mail_id: delivered,
    }),
    domain_id: created.json.id,
    template_id,
    consent,
    ...(await createBroadcastDemo(user, tenant, consent.purpose_id)),
    ...(await createFormDemo(service, user, consent.term_id)),
  };
}

async function createVerifiedDomain(service: TestService, user: PanelUser): Promise<number> {
  const { json } = await user.post('/v1/private/domains', { domain: 'correo.altiplano.example' });
  await service.db.query(
    `update domains set mx_status = 'verified', spf_status = 'verified', dkim_status = 'verified', dmarc_status = 'verified',
       mx_verified_at = now(), spf_verified_at = now(), dkim_verified_at = now(), dmarc_verified_at = now(),
       check_reasons = '{"ownership": "no record found"}', last_verification_at = now() where id = $1`,
    [json.id],
  );
  return json.id;
}
