import assert from 'node:assert/strict';
import { createTransport } from 'nodemailer';
import { RootSecret } from '../base/secrets.ts';
import { addVerifiedDomain, senderDomain } from '../deliver/delivery-bed.fixture.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { report } from '../protocol/dsn/message.fixture.ts';
import type { Environment } from '../base/config.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

export const tokens = new MailTokens(new RootSecret('a root secret for tests, and for tests alone'));
export const domain = senderDomain;

export interface InboundBed {
  service: TestService;
  tenant: Tenant;
  /** Another instance, with a domain of its own. */
  other: Tenant;
  port: number;
  /** A mail that the remote server took, so that only reports can change it. */
  sentMail(to: string, from?: Tenant, sender?: string): Promise<string>;
  /** Hands a message over as a mail server does; the reply, or the refusal as `550 …`. */
  hand(to: string | string[], raw: Buffer | string, from?: string): Promise<string>;
  mail(mailId: string): Promise<{ status: number; sent_at: Date | null; events: LoggedEvent[] }>;
  restrictions(): Promise<{ recipient: string; reason: string }[]>;
  stop(): Promise<void>;
}

interface LoggedEvent {
  event: string;
  status: number | null;
  reason: string | null;
  data: Record<string, unknown>;
}

export const sentAt = new Date('2026-07-14T10:00:00Z');
export const otherDomain = 'other.example.test';

export async function startInboundBed(env: Environment = {}, roles = 'api,inbound'): Promise<InboundBed> {
  const service = await startTestService({ roles, env });
  const tenant = await service.tenant();
  const other = await service.tenant();
  await addVerifiedDomain(service, tenant);
  await addVerifiedDomain(service, other, otherDomain);
  const port = Number(service.service.addresses.inbound?.split(':').at(-1));
  const { db } = service;
  return {
    service,
    tenant,
    other,
    port,
    async sentMail(to, from = tenant, sender = from === other ? `hi@${otherDomain}` : `hi@${domain}`) {
      const mail = { sender_email: sender, to: [{ email: to }], subject: 'Hola', html: '<p>Hola</p>' };
      const { json, text } = await from.api.post('/v1/mails/send', mail);
      assert.ok(json.message_id, text);
      const [row] = await db.query<{ mail_id: string }>(
        `with gone as (delete from queue where msg_id = $1)
         update mails set status = 3, sent_at = $2 where msg_id = $1 returning mail_id`,
        [json.message_id, sentAt],
      );
      return row?.mail_id ?? '';
    },
    hand: async (to, raw, from = '') => await handOver(port, { to, raw, from }),
    async mail(mailId) {
      const [row] = await db.query<{ status: number; sent_at: Date | null }>(
        'select status, sent_at from mails where mail_id = $1',
        [mailId],
      );
      assert.ok(row);
      const events = await db.query<LoggedEvent>(
        'select event, status, reason, data from events where mail_id = $1 order by event_id',
        [mailId],
      );
      return { ...row, events };
    },
    restrictions: async () =>
      await db.query('select recipient, reason from restrictions where instance_id = $1 order by id', [
        tenant.instance.id,
      ]),
    stop: async () => await service.stop(),
  };
}

async function handOver(
  port: number,
  { to, raw, from }: { to: string | string[]; raw: Buffer | string; from: string },
): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  try {
    const { response } = await transport.sendMail({ envelope: { from, to }, raw });
    return response;
  } catch (error) {
    const { response, message } = error as { response?: string; message: string };
    return response ?? message;
  } finally {
    transport.close();
  }
}

export const bounceAddress = (mailId: string, at = domain): string =>
  `bounce-${tokens.make('bounce', mailId)}@${at}`;

interface Failure {
  action?: string;
  status?: string;
  diagnostic?: string;
  recipient?: string;
}

/** A report as Postfix writes it. */
export function dsn({
  action = 'failed',
  status = '5.1.1',
  diagnostic = 'smtp; 550 5.1.1 User unknown',
  recipient = 'ana@example.net',
}: Failure = {}): Buffer {
  return report('From: MAILER-DAEMON@relay.example.net\nSubject: Undelivered Mail Returned to Sender', [
    ['text/plain', 'This is the mail system at host relay.example.net.'],
    [
      'message/delivery-status',
      `Reporting-MTA: dns; relay.example.net\n\nFinal-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${status}\nRemote-MTA: dns; mx.example.net\nDiagnostic-Code: ${diagnostic}\n`,
    ],
  ]);
}
