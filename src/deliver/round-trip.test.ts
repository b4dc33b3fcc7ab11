import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { report } from '../protocol/dsn/message.fixture.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { senderDomain, startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,delivery,inbound' });
});
after(async () => await bed.stop());

/** As the remote server would, at the address that MX records lead to. */
async function handBack(to: string, raw: Buffer | string, from = ''): Promise<string> {
  const [host, port] = (bed.service.service.addresses.inbound ?? '').split(':');
  const transport = createTransport({
    host: host ?? '',
    port: Number(port),
    tls: { rejectUnauthorized: false },
  });
  try {
    return (await transport.sendMail({ envelope: { from, to }, raw })).response;
  } finally {
    transport.close();
  }
}

test('a mail that the remote server took and gives back is bounced by its own return path', async (t) => {
  const remote = await bed.remote(t);
  const recipient = `late@${remote.domain}`;
  await bed.send(recipient);
  const [message] = await remote.mx.waitForMessages(1);
  assert.ok(message);
  const status = `Reporting-MTA: dns; ${remote.host}\n\nFinal-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\n`;
  const raw = report(`From: MAILER-DAEMON@${remote.host}\nSubject: failure`, [
    ['message/delivery-status', status],
    ['message/rfc822', message.data.toString()],
  ]);
  // Until delivery has written down that the mail was sent, the report is asked to come again.
  await waitFor(async () => (await handBack(message.mail_from, raw).catch(() => '')).startsWith('250'), {
    what: 'the report to be taken',
  });
  const log = await bed.becomes(recipient, 6);
  assert.deepEqual(
    log.map(({ event }) => event),
    ['sent', 'bounced'],
  );
  assert.equal((await bed.restriction(recipient))?.reason, 'hard_bounce');
});

test('the addresses in the header of a broadcast unsubscribe and complain', async (t) => {
  const remote = await bed.remote(t);
  const recipient = `reader@${remote.domain}`;
  await bed.send(recipient, { sender_email: `news@${senderDomain}` });
  const [message] = await remote.mx.waitForMessages(1);
  const source = message?.data.toString() ?? '';
  await bed.becomes(recipient, 3);
  const address =
    /<mailto:([^?>]+)\?subject=unsubscribe>/.exec(source.replaceAll(/\r\n[ \t]+/g, ' '))?.[1] ?? '';
  const letter = 'From: reader@example.net\r\nSubject: unsubscribe\r\n\r\n';
  assert.match(await handBack(address, letter, recipient), /^250 /);
  const arf = report(
    'From: fbl@example.net',
    [
      ['message/feedback-report', 'Feedback-Type: abuse\nUser-Agent: x/1\nVersion: 1'],
      ['message/rfc822', source.replaceAll('\r\n', '\n')],
    ],
    'feedback-report',
  );
  assert.match(await handBack(`abuse@${senderDomain}`, arf), /^250 /);
  const log = await bed.becomes(recipient, 3);
  assert.deepEqual(
    log.map(({ event }) => event),
    ['sent', 'unsubscribed', 'complained'],
  );
  assert.equal((await bed.restriction(recipient))?.reason, 'complaint');
});
