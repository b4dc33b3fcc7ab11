import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authenticate } from 'mailauth';
import { createTransport } from 'nodemailer';
import { waitFor } from '../../../test/support/wait-for.ts';
import { senderDomain, startDeliveryBed, type DeliveryBed } from '../../deliver/delivery-bed.fixture.ts';
import { report } from '../../protocol/dsn/message.fixture.ts';
import { addReceived, receivedText } from '../received-rows.fixture.ts';
import { insertForwards } from './send-forwards.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,web,delivery,jobs,inbound' });
});
after(async () => await bed.stop());

const authentication = {
  spf: { result: 'pass', domain: 'example.net' },
  dkim: [],
  dmarc: { result: 'pass', domain: 'example.net', policy: 'none' },
  arc: { result: 'none', domain: null },
};

async function agree(address: string): Promise<void> {
  const { service, tenant } = bed;
  const asked = await tenant.api.post('/v1/forward-addresses', { address });
  assert.equal(asked.status, 201, asked.text);
  assert.equal(asked.json.is_verified, false);
  const [mail] = await service.db.query<{ text: Buffer }>(
    `select m.text from messages m join mails using (msg_id) where mails.recipient = $1 order by m.msg_id desc limit 1`,
    [address],
  );
  const [link = ''] = /http:\S+\/forward\/\S+/.exec(mail?.text.toString() ?? '') ?? [];
  const page = `${service.base_url}${new URL(link).pathname}`;
  assert.match(await (await fetch(page)).text(), /<form method="post">/);
  const { json } = await tenant.api.get('/v1/forward-addresses');
  assert.ok(
    json.data.some(
      (each: { address: string; is_verified: boolean }) => each.address === address && !each.is_verified,
    ),
  );
  await fetch(page, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  assert.doesNotMatch(await (await fetch(page)).text(), /<form/);
  assert.equal((await tenant.api.post('/v1/forward-addresses', { address })).status, 409);
}

async function addRoute(addresses: string[]): Promise<number> {
  const [row] = await bed.service.db.query<{ id: number }>(
    `insert into inbound_routes (instance_id, domain_id, name, position, match, local_part, action, forward_to)
     values ($1, $2, 'Sales', 1, 'exact', 'ventas', 'forward', $3) returning id`,
    [bed.tenant.instance.id, bed.domainId, addresses],
  );
  return row?.id ?? 0;
}

async function receive(routeId: number, more: object = {}): Promise<string> {
  const { service, tenant, domainId } = bed;
  const id = await addReceived(service, {
    instance_id: tenant.instance.id,
    domain_id: domainId,
    route_id: routeId,
    action: 'forward',
    recipient: `ventas@${senderDomain}`,
    authentication,
    ...more,
  });
  await insertForwards(service.db, [id]);
  return id;
}

interface Forward {
  state: string;
  reason: string | null;
  mail_id: string | null;
}

async function settled(id: string): Promise<Forward | undefined> {
  let row: Forward | undefined;
  const isSettled = async (): Promise<boolean> => {
    [row] = await bed.service.db.query<Forward & Record<string, unknown>>(
      'select state, reason, mail_id from received_forwards where received_mail_id = $1',
      [id],
    );
    return row?.state !== 'pending';
  };
  await waitFor(isSettled, { what: 'the forward', timeout_ms: 30_000 });
  return row;
}

/** TXT records of the platform's DKIM keys. */
async function platformKey(): Promise<string> {
  const [row] = await bed.service.db.query<{ public_key: Buffer | string }>(
    `select k.public_key from dkim_keys k join domains d on d.id = k.domain_id where d.domain = 'chasqui.test' and k.is_signing`,
  );
  const key = row?.public_key ?? '';
  return `v=DKIM1; k=rsa; p=${Buffer.isBuffer(key) ? key.toString('base64') : key}`;
}

test('a mail goes on to an address that agreed: sealed, signed, and its bounce comes back to the forward', async (t) => {
  const { domain, mx } = await bed.remote(t);
  const address = `socia@${domain}`;
  await agree(address);
  const id = await receive(await addRoute([address]));
  assert.deepEqual((await settled(id))?.state, 'sent_on');
  const messages = await mx.waitForMessages(2, 20_000);
  const message = messages.find(({ data }) => data.includes('Delivered-To: '));
  assert.ok(message);
  assert.match(message.mail_from, /^bounce-[0-9a-f]{48}@chasqui\.test$/);
  const text = message.data.toString();
  assert.match(text, /^Delivered-To: ventas@shop\.example\.test\r$/m);
  assert.match(text, /^From: Ana <ana@example\.net>\r$/m);
  assert.match(text, /¿Tienen stock\?/);
  assert.doesNotMatch(text, /X-Chq-|Return-Path/i);
  const record = await platformKey();
  const { arc, dkim } = await authenticate(message.data, {
    ip: '192.0.2.1',
    helo: 'mx.chasqui.test',
    sender: message.mail_from,
    resolver: async (name: string, type: string) => {
      if (type === 'TXT' && /^s\d\._domainkey\.chasqui\.test$/.test(name)) return [[record]];
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    },
  });
  assert.equal(arc === false ? 'none' : arc.status.result, 'pass');
  assert.ok(
    dkim.results.some(
      ({ signingDomain, status }) => signingDomain === 'chasqui.test' && status.result === 'pass',
    ),
  );
  await bounces(message.mail_from, address);
  const { mail_id } = (await settled(id)) ?? {};
  const [mail] = await bed.service.db.query<{ status: number }>(
    'select status from mails where mail_id = $1',
    [mail_id],
  );
  assert.equal(mail?.status, 6);
});

async function bounces(to: string, recipient: string): Promise<void> {
  const port = Number(bed.service.service.addresses.inbound?.split(':').at(-1));
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  const raw = report('From: MAILER-DAEMON@relay.example.net\nSubject: Undelivered', [
    ['text/plain', 'It failed.'],
    [
      'message/delivery-status',
      `Reporting-MTA: dns; relay.example.net\n\nFinal-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 unknown\n`,
    ],
  ]);
  await transport.sendMail({ envelope: { from: '', to }, raw });
  transport.close();
}

test('mail that loops, that DMARC wants rejected, or for an address that did not agree is not sent on', async () => {
  const address = 'nadie@elsewhere.example.test';
  const routeId = await addRoute([address]);
  const unasked = await receive(routeId);
  assert.deepEqual(await settled(unasked), {
    state: 'refused',
    reason: 'not_agreed',
    mail_id: null,
  });
  await bed.service.db.query(
    'insert into forward_addresses (instance_id, address, verified_at) values ($1, $2, now())',
    [bed.tenant.instance.id, address],
  );
  const rejected = { ...authentication, dmarc: { result: 'fail', domain: 'example.net', policy: 'reject' } };
  const cases = [
    [{ raw: `Delivered-To: VENTAS@${senderDomain}\r\n${receivedText}` }, 'loop'],
    [{ raw: `${'Delivered-To: a@b.example\r\n'.repeat(5)}${receivedText}` }, 'loop'],
    [{ automation: { is_loop: true } }, 'loop'],
    [{ authentication: rejected }, 'dmarc_failed'],
    [{ raw: 'no header at all' }, 'malformed'],
  ] as const;
  const ids = await Promise.all(cases.map(async ([more]) => await receive(routeId, more)));
  for (const [at, [, reason]] of cases.entries())
    assert.equal((await settled(ids[at] ?? ''))?.reason, reason);
});
