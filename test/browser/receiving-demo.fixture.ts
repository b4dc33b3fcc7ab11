import { newId } from '../../src/base/ids.ts';
import type { Tenant, TestService } from '../support/test-service.ts';

interface Demo {
  service: TestService;
  tenant: Tenant;
  domain_id: number;
  /** The mail that is answered, and its recipient. */
  mail_id: string;
}

const authentication = {
  spf: { result: 'pass', domain: 'example.org' },
  dkim: [{ result: 'pass', domain: 'example.org', selector: 's1', is_aligned: true }],
  dmarc: { result: 'pass', domain: 'example.org', policy: 'reject' },
  arc: { result: 'none', domain: null },
};
const nothing = {
  auto_submitted: 'no',
  is_auto_reply: false,
  is_report: false,
  list_id: null,
  is_loop: false,
};
const mails = [
  {
    from: 'ana@example.org',
    name: 'Ana Soto',
    subject: 'Re: Your order 1001',
    text: 'Baja, por favor.',
    is_answer: true,
  },
  {
    from: 'luis@example.org',
    name: 'Luis Rojas',
    subject: '¿Tienen Pedro Páramo en tapa dura?',
    text: 'Hola:\n\n¿Les queda alguno?',
  },
  {
    from: 'marta@example.org',
    name: 'Marta Díaz',
    subject: 'Fuera de la oficina',
    text: 'Vuelvo el lunes.',
    is_auto_reply: true,
  },
];

/** Routes with forwards, received mail, and an answer that asks for no more mail. */
export async function createReceivingDemo({ service, tenant, domain_id, mail_id }: Demo): Promise<string> {
  const { db } = service;
  const { id: instance_id } = tenant.instance;
  await db.query(
    `insert into forward_addresses (instance_id, address, verified_at) values ($1, 'socia@example.org', now()), ($1, 'bodega@example.org', null)`,
    [instance_id],
  );
  const routes = await db.query<{ id: number }>(
    `insert into inbound_routes (instance_id, domain_id, name, position, match, local_part, action, forward_to) values
       ($1, $2, 'Pedidos', 1, 'tag', 'pedidos', 'webhook', '{}'), ($1, $2, 'Ventas al por mayor', 2, 'exact', 'mayor', 'forward', '{socia@example.org}'),
       ($1, $2, 'Todo lo demás', 3, 'catch_all', '', 'reject', '{}') returning id`,
    [instance_id, domain_id],
  );
  const ids: string[] = [];
  for (const mail of mails) ids.push(await addMail({ ...mail, mail_id, service, instance_id, domain_id }));
  const [answer = '', question = ''] = ids;
  await db.query(
    `insert into reply_withdrawals (received_mail_id, instance_id, mail_id, recipient, words, language, is_authentic)
     values ($1, $2, $3, 'ana@example.org', 'baja', 'es', true)`,
    [answer, instance_id, mail_id],
  );
  await db.query(
    `insert into received_forwards (received_mail_id, instance_id, route_id, address, state, reason)
     values ($1, $2, $3, 'bodega@example.org', 'refused', 'not_agreed')`,
    [question, instance_id, routes[1]?.id],
  );
  return answer;
}

interface DemoMail {
  service: TestService;
  instance_id: number;
  domain_id: number;
  mail_id: string;
  from: string;
  name: string;
  subject: string;
  text: string;
  is_answer?: boolean;
  is_auto_reply?: boolean;
}

async function addMail({
  service: { db },
  instance_id,
  domain_id,
  mail_id,
  ...mail
}: DemoMail): Promise<string> {
  const { from, name, subject, text, is_answer = false, is_auto_reply = false } = mail;
  const [id, source, at] = [newId(new Date()), newId(new Date()), new Date()];
  const raw = Buffer.from(`From: ${from}\r\nSubject: demo\r\n\r\n${text}\r\n`);
  const values = [source, instance_id, raw, at];
  await db.query(
    'insert into received_sources (id, instance_id, raw, received_at) values ($1, $2, $3, $4)',
    values,
  );
  const addresses = {
    from: [{ email: from, name }],
    to: [{ email: 'pedidos@correo.altiplano.example', name: null }],
    cc: [],
    reply_to: [],
  };
  await db.query(
    `insert into received_mails (id, instance_id, source_id, domain_id, action, mail_from, recipient, helo, remote_ip, tls, size_bytes,
       received_at, state, parsed_at, subject, from_address, from_name, addresses, headers, text, html, authentication, automation,
       text_reply, text_reply_confidence, in_reply_to_mail_id)
     values ($1, $2, $3, $4, 'webhook', $5, 'pedidos@correo.altiplano.example', 'mail.example.org', '192.0.2.1',
       'TLSv1.3 TLS_AES_256_GCM_SHA384', $6, $7, 'parsed', $7, $8, $5, $9, $10, $11, $12, $13, $14, $15, $12, 1, $16)`,
    [
      id,
      instance_id,
      source,
      domain_id,
      from,
      raw.length,
      at,
      subject,
      name,
      JSON.stringify(addresses),
      JSON.stringify([
        ['From', `${name} <${from}>`],
        ['Subject', subject],
      ]),
      text,
      `<p style="font-family:Georgia">${text.replaceAll('\n', '<br>')}</p>`,
      JSON.stringify(authentication),
      JSON.stringify({ ...nothing, is_auto_reply }),
      is_answer ? mail_id : null,
    ],
  );
  return id;
}
