import assert from 'node:assert/strict';
import type { ApiResponse } from '../../test/support/api.ts';
import {
  startTestService,
  type Tenant,
  type TestService,
  type TestServiceOptions,
} from '../../test/support/test-service.ts';
import type { SendMail } from './send-schema.ts';

/** The body of a send, or what a test wants to pass off as one. */
export type Body = { [Field in keyof SendMail]?: unknown };

export interface Account extends Tenant {
  service: TestService;
  /** A sender on a verified domain, who may write to anyone. */
  sender: { id: number; email: string };
  /** A valid mail from the sandbox to the sandbox, with changes. */
  mail(changes?: Body): Body;
  send(changes?: Body): Promise<ApiResponse>;
  /** From the real sender to real people: it counts in the plan. */
  sendOut(recipients: number, changes?: Body): Promise<ApiResponse>;
  headers: Record<string, string>;
}

interface AccountOptions {
  /** Columns of the instance, set before anyone could have remembered others. */
  settings?: Record<string, unknown>;
  /** Columns of the real sender. */
  sender?: Record<string, unknown>;
  scopes?: string[];
}

/** A service that takes mail and delivers none: what was accepted stays as it was written. */
export async function startAccepting(options: TestServiceOptions = {}): Promise<TestService> {
  return await startTestService({ roles: 'api', ...options });
}

/** An instance whose requests are not limited, with a sender that may write to anyone. */
export async function openAccount(
  service: TestService,
  { settings = {}, sender: more = {}, scopes }: AccountOptions = {},
): Promise<Account> {
  const tenant = await service.tenant(scopes ? { scopes } : {});
  const { id, slug } = tenant.instance;
  await setInstance(service, id, { requests_per_second: 0, ...settings });
  const domain = `${slug}.example`;
  const sender = await insertSender(service, { instance_id: id, domain, more });
  const mail = (changes: Body = {}): Body => ({
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test', name: 'Ana' }],
    subject: 'Hello',
    html: '<p>It works.</p>',
    ...changes,
  });
  const send = async (changes: Body = {}): Promise<ApiResponse> =>
    await tenant.api.post('/v1/mails/send', mail(changes));
  return {
    ...tenant,
    service,
    sender,
    mail,
    send,
    sendOut: async (recipients, changes = {}) =>
      await send({
        sender_email: sender.email,
        to: Array.from({ length: recipients }, (_, index) => ({ email: `person-${index}@example.com` })),
        ...changes,
      }),
    headers: { authorization: `Bearer ${tenant.api_key}`, 'x-instance-slug': slug },
  };
}

/** Nodes that have the instance cached are notified a moment later. */
export async function setInstance(
  { db }: TestService,
  id: number,
  settings: Record<string, unknown>,
): Promise<void> {
  const columns = Object.keys(settings).map((key, index) => `${key} = $${index + 2}`);
  await db.query(`update instances set ${columns.join(', ')} where id = $1`, [
    id,
    ...Object.values(settings),
  ]);
}

interface WantedSender {
  instance_id: number;
  domain: string;
  more?: Record<string, unknown>;
  status?: string;
}

export async function insertSender(
  { db }: TestService,
  { instance_id, domain, more = {}, status = 'verified' }: WantedSender,
): Promise<{ id: number; email: string }> {
  const [row] = await db.query<{ id: number }>(
    `insert into domains (instance_id, domain, ownership_token, mx_status, spf_status, dkim_status, dmarc_status)
     values ($1, $2, substr(md5(random()::text), 1, 24), $3, $3, $3, $3) returning id`,
    [instance_id, domain, status],
  );
  const columns = { name: 'Hola', email_address: `hola@${domain}`, ...more };
  const names = Object.keys(columns);
  const [sender] = await db.query<{ id: number; email_address: string }>(
    `insert into senders (instance_id, domain_id, ${names.join(', ')})
     values ($1, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')}) returning id, email_address`,
    [instance_id, row?.id, ...Object.values(columns)],
  );
  assert.ok(sender);
  return { id: sender.id, email: sender.email_address };
}

export interface StoredMail {
  mail_id: string;
  status: number;
  recipient: string;
  recipient_name: string | null;
  recipient_kind: string;
  subject: string;
  test_mode: boolean;
  is_queued: boolean;
  /** Of its drop. */
  reason: string | null;
}

/** The mails of a message in the order they were accepted, with what else was written about them. */
export async function storedMails({ db }: TestService, msg_id: string): Promise<StoredMail[]> {
  return await db.query<StoredMail>(
    `select m.mail_id, m.status, m.recipient, m.recipient_name, m.recipient_kind, m.subject, m.test_mode,
       q.mail_id is not null as is_queued,
       (select reason from events e where e.mail_id = m.mail_id and e.event = 'dropped' and e.status = 4) as reason
     from mails m left join queue q using (mail_id) where m.msg_id = $1 order by m.mail_id`,
    [msg_id],
  );
}

/** Nothing of a refused send may stay behind. */
export async function countMessages({ service, instance }: Account): Promise<number> {
  const [row] = await service.db.query<{ count: number }>(
    'select count(*) from messages where instance_id = $1',
    [instance.id],
  );
  return row?.count ?? 0;
}
