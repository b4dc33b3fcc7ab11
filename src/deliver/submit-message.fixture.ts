import { createTransport } from 'nodemailer';
import { createSmtpCredential } from '../credentials/smtp-credentials.ts';
import { senderDomain, type DeliveryBed } from './delivery-bed.fixture.ts';

/** Hands a message to the submission port, as a mail program would. */
export async function submitTo(bed: DeliveryBed, raw: string | Buffer, to: string | string[]): Promise<void> {
  const { username, password } = await bed.service.db.transaction(
    async (tx) =>
      await createSmtpCredential(tx, bed.tenant.instance.id, { name: 'test', actor: { kind: 'operator' } }),
  );
  const [host = '', port] = (bed.service.service.addresses.submission?.tls ?? '').split(':');
  const transport = createTransport({
    host,
    port: Number(port),
    secure: true,
    tls: { rejectUnauthorized: false },
    auth: { user: username, pass: password },
  });
  try {
    await transport.sendMail({ envelope: { from: `hi@${senderDomain}`, to }, raw });
  } finally {
    transport.close();
  }
}
