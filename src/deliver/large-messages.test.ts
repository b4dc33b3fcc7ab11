import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import PostalMime from 'postal-mime';
import { createTransport } from 'nodemailer';
import { createSmtpCredential } from '../credentials/smtp-credentials.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { senderDomain, startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';

const mebibyte = 1024 * 1024;
/** On the wire 0.53 MB: three of them fit into seven eighths of 2 MiB. */
const file = Buffer.alloc(400_000, 'x');
const fitting = 3;

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed(
    { CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true' },
    { roles: 'api,submission,delivery', config: { body_memory_instance_bytes: 2 * mebibyte } },
  );
});
after(async () => await bed.stop());

const waiting = async (): Promise<{ attempts: number; last_error: string | null }[]> =>
  await bed.service.db.query('select attempts, last_error from queue where lease is null');

test('large messages beyond the share of their instance wait, and none of them is lost or tried in vain', async (t) => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { domain, mx } = await bed.remote(t);
  let under_way = 0;
  mx.script = {
    BODY: async () => {
      under_way += 1;
      await promise;
      return undefined;
    },
  };
  const attachments = [{ type: 'application/pdf', filename: 'a.pdf', content: file.toString('base64') }];
  for (let index = 0; index < fitting + 2; index += 1) {
    await bed.send(`large-${index}@${domain}`, { attachments });
  }
  await waitFor(() => under_way === fitting, { what: 'as many as there is memory for', timeout_ms: 30_000 });
  await waitFor(async () => (await waiting()).length === 2, { what: 'the others to wait' });
  assert.deepEqual(
    (await waiting()).map(({ attempts, last_error }) => [attempts, last_error]),
    [
      [0, 'no_memory'],
      [0, 'no_memory'],
    ],
  );
  // What is small has no need of it.
  mx.script = {};
  await bed.send(`small@${domain}`);
  await bed.becomes(`small@${domain}`, 3);
  assert.equal(under_way, fitting);
  resolve(undefined);
  for (let index = 0; index < fitting + 2; index += 1) {
    const log = await bed.becomes(`large-${index}@${domain}`, 3, 30_000);
    assert.deepEqual(
      log.map(({ event, data }) => [event, data['attempt']]),
      [['sent', 1]],
    );
  }
  for (const { data } of mx.messages.filter((each) => each.data.length > file.length)) {
    const [attached] = (await PostalMime.parse(data)).attachments;
    assert.equal(Buffer.from(attached?.content as ArrayBuffer).compare(file), 0);
  }
});

test('a large message is read from the queue as it was accepted, by HTTP and by SMTP', async (t) => {
  const { domain, mx } = await bed.remote(t, { script: { RCPT: '451 4.3.0 later' } });
  const html = `<p>${'Hola ñandú. '.repeat(40_000)}</p>`;
  await bed.send(`http@${domain}`, { html, text: 'In short' });
  await submit(`smtp@${domain}`, html);
  await bed.becomes(`http@${domain}`, 5);
  await bed.becomes(`smtp@${domain}`, 5);
  mx.script = {};
  await bed.service.db.query('update queue set due_at = now() where destination = $1', [domain]);
  await bed.becomes(`http@${domain}`, 3);
  await bed.becomes(`smtp@${domain}`, 3);
  assert.equal(mx.messages.length, 2);
  for (const { data } of mx.messages) {
    const parsed = await PostalMime.parse(data);
    // Behind it is the tracking pixel.
    assert.ok(parsed.html?.startsWith(html), `${parsed.html?.length} characters`);
    assert.equal(parsed.text?.trim(), 'In short');
  }
});

async function submit(to: string, html: string): Promise<void> {
  const { instance } = bed.tenant;
  const login = await bed.service.db.transaction(
    async (tx) => await createSmtpCredential(tx, instance.id, { name: 'test', actor: { kind: 'operator' } }),
  );
  const [host = '', port] = (bed.service.service.addresses.submission?.starttls ?? '').split(':');
  const transport = createTransport({
    host,
    port: Number(port),
    ignoreTLS: true,
    auth: { user: login.username, pass: login.password },
  });
  await transport.sendMail({ from: `hi@${senderDomain}`, to, subject: 'Hola', html, text: 'In short' });
  transport.close();
}
