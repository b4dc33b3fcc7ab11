import assert from 'node:assert/strict';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Database } from '../base/db/database.ts';
import { createSmtpCredential } from '../credentials/smtp-credentials.ts';
import { addVerifiedDomain, senderDomain } from '../deliver/delivery-bed.fixture.ts';
import { aggregateXml, record, reportMail, zipped } from '../protocol/dmarc/dmarc-mail.fixture.ts';
import { publishKey, signAs } from '../inbound/reports/signed-report.fixture.ts';
import { createFormAccount, type FormAccount } from '../forms/form-account.fixture.ts';
import { createEndpoint, type WebhookBed } from '../webhooks/webhook-bed.fixture.ts';

/** Words that only this person has. */
export const traces = { address: 'zulema', name: 'Quispe-Mamani', content: 'ajayu-secreto' };

const scripts = ['delivered', 'open', 'click', 'bounce', 'complaint', 'unsubscribe', 'softbounce'] as const;
export const addressOf = (script: string): string => `${script}+zulema@sandbox.test`;
const extra = ['manual', 'form', 'writer', 'invited'];
export const contacts = [
  ...[...scripts, ...extra].map((script) => ({ contact: addressOf(script), contact_type: 'email_address' })),
  { contact: '+56 9 8765 4321', contact_type: 'phone_number' },
];

const name = `Zulema ${traces.name}`;
const actor = { kind: 'operator' } as const;

/** Sends, submits, opens, fills in, complains, writes: everything by which a person comes into a table. */
export async function writePerson(bed: WebhookBed, echoUrl: string): Promise<FormAccount> {
  const { service } = bed;
  const account = await createFormAccount(service);
  await addVerifiedDomain(service, account);
  await createEndpoint(account, echoUrl);
  await sendAll(account);
  await refuse(account);
  await submit(bed, account);
  await fillForm(bed, account);
  await importContact(account);
  await askForUpdate(bed, account);
  await writeLetter(bed);
  await writeToRoute(bed, account);
  await account.panel.post('/v1/private/mail-restrictions', { recipient: addressOf('manual'), detail: name });
  const invited = { email: addressOf('invited'), role: 'viewer' };
  assert.equal((await account.panel.post('/v1/private/team/invitations', invited)).status, 201);
  await writeDmarcReport(bed);
  await receiveBroadcast(bed, account);
  await settled(service.db, account);
  await visit(bed, account);
  return account;
}

async function sendAll({ api }: FormAccount): Promise<void> {
  for (const script of scripts) {
    const sent = await api.post('/v1/mails/send', {
      sender_email: `${script === 'unsubscribe' ? 'news' : 'hi'}@${senderDomain}`,
      to: [{ email: addressOf(script), name }],
      cc: script === 'delivered' ? [{ email: 'somebody@sandbox.test' }] : [],
      subject: `Hola ${traces.content}`,
      html: `<p>${name}: ${traces.content}</p><a href="https://example.com/${traces.address}">x</a>`,
      custom_msg_id: `order-of-${traces.address}`,
      tags: { customer: `customer-${traces.address}` },
      attachments: [
        {
          filename: `${traces.name}.txt`,
          type: 'text/plain',
          content: Buffer.from(traces.content).toString('base64'),
        },
      ],
    });
    assert.equal(sent.status, 200, sent.text);
  }
}

/** A mail that is refused in words that name the person, in an answer that is kept for a repeated call. */
async function refuse({ api }: FormAccount): Promise<void> {
  const mail = { sender_email: `hi@${senderDomain}`, headers: { [addressOf('delivered')]: 'x:\n' } };
  const sent = await api.post('/v1/mails/batch', { mails: [mail] }, { 'idempotency-key': 'refused' });
  assert.equal(sent.status, 200, sent.text);
}

async function submit(bed: WebhookBed, account: FormAccount): Promise<void> {
  await submitMail(bed, account, {
    from: `hi@${senderDomain}`,
    to: { name, address: addressOf('delivered') },
    subject: `SMTP ${traces.content}`,
    text: `${name}, ${traces.content}`,
  });
}

/** To the person and to another one, in words that contain no contact. */
export async function submitToAll(bed: WebhookBed, account: FormAccount): Promise<void> {
  const to = [{ name, address: addressOf('delivered') }, 'other@sandbox.test'];
  await submitMail(bed, account, { from: `hi@${senderDomain}`, to, subject: 'For all', text: 'For all' });
}

async function submitMail(
  { service }: WebhookBed,
  { instance }: FormAccount,
  mail: SendMailOptions,
): Promise<void> {
  const { username: user, password: pass } = await service.db.transaction(
    async (tx) => await createSmtpCredential(tx, instance.id, { name: 'test', actor }),
  );
  const [host = '', port] = (service.service.addresses.submission?.tls ?? '').split(':');
  const tls = { rejectUnauthorized: false };
  const transport = createTransport({ host, port: Number(port), secure: true, tls, auth: { user, pass } });
  await transport.sendMail(mail);
  transport.close();
}

async function importContact({ api, term_id }: FormAccount): Promise<void> {
  const imported = await api.post('/v1/contact-imports', {
    term_id,
    method: 'single_opt_in',
    origin: 'Paper',
    consented_at: '2026-01-01T00:00:00Z',
    csv: `email,LAST_NAME\n${addressOf('invited')},${traces.name}\n`,
  });
  assert.equal(imported.json.added, 1, imported.text);
}

async function fillForm({ service }: WebhookBed, account: FormAccount): Promise<void> {
  const { panel, fields, term_id, sender_id } = account;
  const form = {
    name: 'Boletín',
    kind: 'advanced',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: sender_id,
    items: [
      ...['EMAIL', 'FIRST_NAME'].map((key) => ({ kind: 'field', field_id: fields[key] })),
      { kind: 'consent', term_id },
    ],
  };
  const { public_token } = (await panel.post('/v1/private/forms', form)).json;
  const filled = await fetch(`${service.base_url}/f/${public_token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'user-agent': `Browser of ${traces.name}` },
    body: new URLSearchParams({
      EMAIL: addressOf('form'),
      FIRST_NAME: traces.name,
      consent: String(term_id),
    }),
  });
  assert.equal(filled.status, 303, await filled.text());
}

/** What the person told by a form counts, and they ask for a link to change it. */
async function askForUpdate({ service }: WebhookBed, account: FormAccount): Promise<void> {
  const { panel, fields, sender_id, instance } = account;
  const items = ['EMAIL', 'FIRST_NAME'].map((key) => ({ kind: 'field', field_id: fields[key] }));
  for (const type of ['registration', 'update']) {
    const form = { name: 'Datos', kind: 'advanced', type, auto_reply_sender_id: sender_id, items };
    const { public_token } = (await panel.post('/v1/private/forms', form)).json;
    const sent = await fetch(`${service.base_url}/f/${public_token}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        EMAIL: addressOf('form'),
        ...(type === 'registration' ? { FIRST_NAME: traces.name } : {}),
      }),
    });
    assert.equal(sent.status, 303, await sent.text());
  }
  const links = 'select from form_update_links where instance_id = $1';
  await waitFor(async () => (await service.db.query(links, [instance.id])).length === 1);
}

/** Of one broadcast a recipient, and left out of it by another address. */
async function receiveBroadcast({ service }: WebhookBed, { instance }: FormAccount): Promise<void> {
  await service.db.query(
    `with template as (
       insert into mail_templates (instance_id, name, editor) values ($1, 'News', 'html') returning id
     ), broadcast as (
       insert into broadcasts (instance_id, name, sender_id, template_id, purpose_id, audience, group_code, state, created_at, updated_at)
       select $1, 'News', s.id, template.id, p.id, jsonb_build_object('exclude', jsonb_build_array($2::text)), 'broadcast-news', 'draft',
         now(), now()
       from template, senders s, consent_purposes p where s.instance_id = $1 and p.instance_id = $1 limit 1 returning id
     )
     insert into broadcast_recipients (broadcast_id, position, contact, rule_id) select id, 1, $3, 1 from broadcast`,
    [instance.id, addressOf('manual'), addressOf('form')],
  );
}

async function writeLetter({ service }: WebhookBed): Promise<void> {
  const port = Number(service.service.addresses.inbound?.split(':').at(-1));
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  const from = addressOf('writer');
  await transport.sendMail({
    envelope: { from, to: `postmaster@${senderDomain}` },
    from: { name, address: from },
    to: `postmaster@${senderDomain}`,
    subject: traces.content,
    text: traces.content,
  });
  transport.close();
}

/** A mail that a route stores and forwards to another address of the person, who asks for no more mail in it. */
async function writeToRoute({ service }: WebhookBed, { api, instance }: FormAccount): Promise<void> {
  const agreed = 'insert into forward_addresses (instance_id, address, verified_at) values ($1, $2, now())';
  await service.db.query(agreed, [instance.id, addressOf('manual')]);
  const [domain] = (await api.get(`/v1/domains?domain=${senderDomain}`)).json.data;
  const route = await api.post('/v1/inbound-routes', {
    domain_id: domain.id,
    name: 'Soporte',
    match: 'exact',
    local_part: 'soporte',
    action: 'forward',
    forward_to: [addressOf('manual')],
  });
  assert.equal(route.status, 201, route.text);
  const port = Number(service.service.addresses.inbound?.split(':').at(-1));
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  await transport.sendMail({
    from: { name, address: addressOf('writer') },
    to: `soporte@${senderDomain}`,
    subject: traces.content,
    text: traces.content,
    attachments: [{ filename: `${traces.name}.txt`, content: traces.content }],
  });
  transport.close();
  const parsed = `select from received_mails where instance_id = $1 and state = 'parsed'`;
  await waitFor(async () => (await service.db.query(parsed, [instance.id])).length === 1, {
    what: 'the received mail to be parsed',
    timeout_ms: 60_000,
  });
  await service.db.query(
    `insert into reply_withdrawals (received_mail_id, instance_id, mail_id, recipient, words, language, is_authentic)
     select r.id, $1, m.mail_id, m.recipient, 'baja', 'es', true from received_mails r, mails m
     where r.instance_id = $1 and m.instance_id = $1 and m.recipient = $2 limit 1`,
    [instance.id, addressOf('delivered')],
  );
}

/** A report about the domain whose letter mentions the person. */
async function writeDmarcReport({ service, dns }: WebhookBed): Promise<void> {
  publishKey(dns, 'google.com');
  const begin = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
  const records = record('192.0.2.25', 40, { from: senderDomain });
  const note = `<!-- ${traces.address} ${traces.content} -->`;
  const xml = aggregateXml({ domain: senderDomain, begin, records }).replace(
    '</feedback>',
    `${note}</feedback>`,
  );
  const letter = Buffer.concat([
    Buffer.from(`X-About: ${name} <${addressOf('delivered')}>\r\n`),
    reportMail(zipped({ 'report.xml': xml })),
  ]);
  const port = Number(service.service.addresses.inbound?.split(':').at(-1));
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  await transport.sendMail({
    envelope: { from: 'noreply@google.com', to: 'dmarc@chasqui.test' },
    raw: await signAs('google.com', letter),
  });
  transport.close();
}

/** Until everything that was scripted has happened and was told to the endpoint. */
async function settled(db: Database, { instance }: FormAccount): Promise<void> {
  const seen = async (sql: string): Promise<boolean> => (await db.query(sql, [instance.id])).length > 0;
  for (const event of ['opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'deferred']) {
    await waitFor(
      async () => await seen(`select from events where instance_id = $1 and event = '${event}' limit 1`),
      { what: event, timeout_ms: 60_000 },
    );
  }
  await waitFor(
    async () =>
      await seen(
        `select from webhook_deliveries where instance_id = $1 and log::text like '%${traces.address}%' limit 1`,
      ),
    { what: 'a delivery', timeout_ms: 60_000 },
  );
}

/** A reader with a program of their own. */
async function visit({ service }: WebhookBed, { instance }: FormAccount): Promise<void> {
  const [captured] = await service.db.query<{ raw: Buffer }>(
    'select raw from sandbox_messages where instance_id = $1 and recipient = $2 limit 1',
    [instance.id, addressOf('open')],
  );
  const text = captured?.raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
  const [pixel] = /https?:[^"\s]+\/o\/[\w.~-]+/.exec(text) ?? [];
  assert.ok(pixel, 'the message has a pixel');
  const url = new URL(pixel);
  await fetch(`${service.base_url}${url.pathname}`, {
    headers: { 'user-agent': `Mozilla/5.0 ${traces.name}` },
  });
  await waitFor(
    async () =>
      (await service.db.query(`select from events where data ->> 'user_agent' like '%${traces.name}%'`))
        .length > 0,
    { what: 'the visit' },
  );
}

/** Tables and columns in which a word stands, as text, JSON or bytes, in the whole database. */
export async function findTraces(
  db: Database,
  of: string[] = Object.values(traces),
): Promise<Map<string, number>> {
  const words = of.flatMap((word) => [word, Buffer.from(word).toString('hex')]);
  const tables = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const found = new Map<string, number>();
  for (const { name: table } of tables) {
    const [row] = await db.query<{ count: number }>(
      `select count(*) from ${table} t where t::text ilike any ($1::text[])`,
      [words.map((word) => `%${word}%`)],
    );
    if (row && row.count > 0) found.set(table, row.count);
  }
  return found;
}
