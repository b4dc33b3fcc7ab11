import { idAt, writeCategory, writeEvent, writeMail } from '../../src/activity/activity-data.fixture.ts';
import type { Tenant, TestService } from '../support/test-service.ts';

interface Account {
  service: TestService;
  tenant: Tenant;
  sender_id: number;
}

const people = [
  'maria.gonzalez@example.com',
  'jorge.muñoz@correo.example',
  'contacto@panaderia-san-jose.example',
  'francisca.undurraga.echeverria@empresas-del-sur.example',
  'li.wei@example.org',
  'soporte@clinica.example',
  'camila_rojas_82@example.net',
  'p.soto@universidad.example',
];
const mails = [
  ['Tu pedido 20418 va en camino', 'pedidos', 3],
  ['Boleta electrónica de noviembre', 'boletas', 3],
  ['Novedades: doce libros para leer este verano, y una invitación a la lectura del jueves', 'boletin', 3],
  ['Confirma tu dirección', 'cuentas', 6],
  ['Restablece tu contraseña', 'cuentas', 5],
  ['Tu pedido 20431 está listo para retirar', 'pedidos', 2],
  ['Novedades: doce libros para leer este verano, y una invitación a la lectura del jueves', 'boletin', 4],
] as const;
const bounces = [
  {
    type: 'hard',
    smtp_code: 550,
    enhanced_code: '5.1.1',
    diagnostic: '550 5.1.1 The email account that you tried to reach does not exist',
  },
  {
    type: 'block',
    smtp_code: 554,
    enhanced_code: '5.7.1',
    diagnostic: '554 5.7.1 Service unavailable; client host blocked',
  },
];
const hourMs = 3_600_000;

/** Mails of a month as a shop sends them, with what came of them: written as if they had been sent and answered. */
export async function writeDemoMails({ service, tenant, sender_id }: Account): Promise<void> {
  const { db } = service;
  const now = Date.now();
  const categories = new Map<string, number>();
  for (const name of new Set(mails.map(([, category]) => category))) {
    categories.set(name, await writeCategory(service, tenant, name));
  }
  for (let at = 0; at < 56; at += 1) {
    const [subject, category, status] = mails[at % mails.length] ?? mails[0];
    const received = new Date(now - (at * 11 + 1) * hourMs);
    const { mail_id } = await writeMail(service, tenant, {
      at: received,
      recipient: people[at % people.length] ?? '',
      subject,
      status,
      sender_id,
      sent_at: status === 3 ? new Date(received.getTime() + 1_400) : null,
      category_id: categories.get(category) ?? null,
      custom_group_code: category === 'boletin' ? 'verano-2026' : null,
      custom_msg_id: category === 'pedidos' ? `pedido-${20_400 + at}` : null,
      test_mode: at % 19 === 2,
    });
    await writeOutcome({ service, tenant, sender_id }, { mail_id, status, received, at });
  }
  await db.query(
    "update mails set sender_email = 'pedidos@correo.altiplano.example' where instance_id = $1 and sender_id = $2",
    [tenant.instance.id, sender_id],
  );
  await writeSuppressions(service, tenant);
}

interface Outcome {
  mail_id: string;
  status: number;
  received: Date;
  at: number;
}

const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15',
  'Mozilla/5.0 (via ggpht.com GoogleImageProxy)',
];

async function writeOutcome(
  { service, tenant }: Account,
  { mail_id, status, received, at }: Outcome,
): Promise<void> {
  const later = (hours: number): Date => new Date(received.getTime() + hours * hourMs);
  if (status === 6) {
    const data = { ...bounces[at % bounces.length], remote_host: 'mx1.correo.example' };
    await writeEvent(service, tenant, { mail_id, at: later(0.1), event: 'bounced', data });
  }
  if (status !== 3 || at % 2 !== 0) return;
  const data = { user_agent: agents[at % 4 === 0 ? 0 : 1] };
  await writeEvent(service, tenant, {
    mail_id,
    at: later(0.5),
    event: 'opened',
    data,
    is_machine: at % 4 !== 0,
  });
  const url = 'https://altiplano.example/libros/pedro-paramo?utm_source=boletin&utm_campaign=verano';
  await writeEvent(service, tenant, { mail_id, at: later(0.6), event: 'clicked', data: { ...data, url } });
}

/** People who complained, and people who want no more of it. */
async function writeSuppressions({ db }: TestService, { instance }: Tenant): Promise<void> {
  const columns = 'mail_id, msg_id, instance_id, sender_id, sender, recipient, sent_at';
  const source = `select mail_id, msg_id, instance_id, sender_id, sender_email, recipient, sent_at, row_number() over (order by mail_id) as n
    from mails where instance_id = $1 and status = 3 and recipient like '%example.net'`;
  await db.query(
    `insert into unsubscribes (${columns}, method, reason, unsubscribed_at)
     select mail_id, msg_id, instance_id, sender_id, sender_email, recipient, sent_at, 'page',
       'I get too many mails, one a month would be enough', now() from (${source}) as mail where n = 1`,
    [instance.id],
  );
  await db.query(
    `insert into complaints (${columns}, type, comment, complained_at)
     select mail_id, msg_id, instance_id, sender_id, sender_email, recipient, sent_at, 'spam',
       'I never signed up for this', now() from (${source}) as mail where n = 2`,
    [instance.id],
  );
}

interface Sent {
  webhook_id: number;
}

const endpointHeaders = { 'content-type': 'text/plain', server: 'nginx' };

/** A webhook whose endpoint failed for an hour, with the deliveries of that time. */
export async function writeDemoDeliveries(
  { db }: TestService,
  { instance }: Tenant,
  { webhook_id }: Sent,
): Promise<void> {
  const events = await db.query<{ event_id: string; mail_id: string; event: string; at: Date }>(
    `select event_id, mail_id, event, at from events
     where instance_id = $1 and event in ('opened', 'clicked', 'bounced') order by event_id desc limit 14`,
    [instance.id],
  );
  for (const [index, { event_id, mail_id, event, at }] of events.entries()) {
    const state = index < 2 ? 'pending' : index < 6 ? 'failed' : 'delivered';
    const answer = state === 'delivered' ? 204 : 503;
    const attempt = {
      at: at.toISOString(),
      attempt: 1,
      url: 'https://tienda.altiplano.example/hooks/correo',
      request_headers: { 'webhook-id': event_id, 'content-type': 'application/json' },
      status_code: answer,
      error: answer === 503 ? 'http_503' : null,
      duration_ms: 182,
      response_headers: endpointHeaders,
      response_body: answer === 503 ? 'upstream connect error or disconnect/reset before headers' : '',
      next_attempt_at: null,
    };
    await db.query(
      `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, state, due_at,
         attempts, last_attempt_at, last_status_code, last_error, log)
       values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $6, $10, $11, $12)`,
      [
        webhook_id,
        instance.id,
        event_id ?? idAt(at),
        mail_id,
        `mail.${event}`,
        at,
        state,
        state === 'pending' ? new Date(Date.now() + 30 * 60_000) : null,
        state === 'failed' ? 9 : state === 'pending' ? 3 : 1,
        answer,
        attempt.error,
        JSON.stringify([attempt]),
      ],
    );
  }
}
