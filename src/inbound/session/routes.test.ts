import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type InboundBed, otherDomain, domain, startInboundBed } from '../inbound-bed.fixture.ts';

let bed: InboundBed;
before(async () => {
  bed = await startInboundBed();
});
after(async () => await bed.stop());
beforeEach(async () => {
  await bed.service.db.query('delete from received_mails');
  await bed.service.db.query('delete from received_sources');
  await bed.service.db.query('delete from inbound_routes');
});

const message =
  'From: Ana <ana@example.net>\r\nTo: Support <support@acme.test>\r\nSubject: Hola ñandú\r\n\r\nHola.\r\n';

async function route(content: Record<string, unknown>, owner = bed.tenant): Promise<number> {
  const own = (await owner.api.get('/v1/domains?is_verified=true')).json.data.find(
    (each: { domain: string }) => each.domain === (owner === bed.other ? otherDomain : domain),
  );
  const { status, json, text } = await owner.api.post('/v1/inbound-routes', {
    domain_id: own.id,
    name: 'A route',
    action: 'store',
    ...content,
  });
  assert.equal(status, 201, text);
  return json.id;
}

const received = async () =>
  await bed.service.db.query<{
    id: string;
    recipient: string;
    mail_from: string;
    action: string;
    tag: string;
    raw: Buffer;
  }>(
    `select m.id, m.recipient, m.mail_from, m.action, m.tag, s.raw from received_mails m
     join received_sources s on s.id = m.source_id order by m.recipient`,
  );

test('mail for a route is stored as it came before its 250, and the reply names it', async () => {
  await route({ match: 'tag', local_part: 'Support' });
  const reply = await bed.hand(`Support+4711@${domain}`, message, 'ana@example.net');
  const [mail, ...others] = await received();
  assert.equal(reply, `250 2.0.0 Received as ${mail?.id}`);
  assert.equal(others.length, 0);
  assert.deepEqual(
    { ...mail, id: '', raw: String(mail?.raw) },
    {
      id: '',
      recipient: `Support+4711@${domain}`,
      mail_from: 'ana@example.net',
      action: 'store',
      tag: '4711',
      raw: message,
    },
  );
});

test('the first active route in the order decides, and without one the address does not exist', async () => {
  await route({ match: 'exact', local_part: 'no-reply', action: 'reject' });
  const prefix = await route({ match: 'prefix', local_part: 'shop', name: 'shop' });
  const inactive = await route({ match: 'exact', local_part: 'info', is_active: false });
  assert.match(await bed.hand(`no-reply@${domain}`, message), /^550 5\.7\.1 /);
  assert.match(await bed.hand(`shopping@${domain}`, message), /^250 /);
  assert.match(await bed.hand(`info@${domain}`, message), /^550 5\.1\.1 /);
  await route({ match: 'catch_all', action: 'webhook' });
  assert.match(await bed.hand(`info@${domain}`, message), /^250 /);
  await bed.tenant.api.patch(`/v1/inbound-routes/${inactive}`, { is_active: true, action: 'reject' });
  assert.match(await bed.hand(`info@${domain}`, message), /^550 5\.7\.1 /);
  const list = (await bed.tenant.api.get('/v1/inbound-routes')).json.data;
  assert.deepEqual(
    list.map(({ position, match }: Record<string, unknown>) => [position, match]),
    [
      [1, 'exact'],
      [2, 'prefix'],
      [3, 'exact'],
      [4, 'catch_all'],
    ],
  );
  await bed.tenant.api.patch(`/v1/inbound-routes/${prefix}`, { position: 4 });
  const moved = (await bed.tenant.api.get('/v1/inbound-routes')).json.data;
  assert.deepEqual(
    moved.map(({ position, match }: Record<string, unknown>) => [position, match]),
    [
      [1, 'exact'],
      [2, 'exact'],
      [3, 'catch_all'],
      [4, 'prefix'],
    ],
  );
});

test('addresses that the platform reads itself reach no route', async () => {
  await route({ match: 'catch_all', action: 'webhook' });
  assert.match(await bed.hand(`postmaster@${domain}`, message, 'ana@example.net'), /^250 2\.0\.0 Accepted/);
  assert.match(await bed.hand(`bounce-00@${domain}`, message), /^550 5\.1\.1 /);
  assert.match(await bed.hand(`unsubscribe-${'0'.repeat(48)}@${domain}`, message), /^550 5\.1\.1 /);
  assert.match(await bed.hand(`dmarc@${domain}`, message), /^550 5\.1\.1 /);
  assert.deepEqual(await received(), []);
});

test('recipients of one transaction share a source within their instance, and each instance has its own', async () => {
  await route({ match: 'catch_all' });
  await route({ match: 'catch_all' }, bed.other);
  await bed.hand(
    [`a@${domain}`, `b@${domain}`, `a@${otherDomain}`, `A@${domain}`],
    message,
    'ana@example.net',
  );
  const rows = await bed.service.db.query(
    `select instance_id, count(*) as mails, count(distinct source_id) as sources from received_mails group by 1 order by 1`,
  );
  assert.deepEqual(rows, [
    { instance_id: bed.tenant.instance.id, mails: 2, sources: 1 },
    { instance_id: bed.other.instance.id, mails: 1, sources: 1 },
  ]);
});

test('a message that is in a loop is refused, and one of 25 MB is taken', async () => {
  await route({ match: 'catch_all' });
  const hop = 'Received: from a by b; Mon, 1 Jun 2026 10:00:00 +0000\r\n';
  assert.match(await bed.hand(`a@${domain}`, hop.repeat(101) + message), /^554 5\.4\.6 /);
  const large = Buffer.concat([
    Buffer.from(message),
    Buffer.alloc(25 * 1024 * 1024 - 4_096, 'x'.repeat(70) + '\r\n'),
  ]);
  assert.match(await bed.hand(`a@${domain}`, large), /^250 /);
  const tooLarge = Buffer.concat([large, Buffer.alloc(8_192, 'x'.repeat(70) + '\r\n')]);
  assert.match(await bed.hand(`a@${domain}`, tooLarge), /^552 5\.3\.4 /);
});

test('a domain that gets too much is refused for now, and its neighbour is not', async () => {
  const flooded = await startInboundBed({ CHASQUI_INBOUND_PER_DOMAIN_SECOND: '1' });
  const previous = bed;
  bed = flooded;
  try {
    await route({ match: 'catch_all' });
    await route({ match: 'catch_all' }, flooded.other);
    const replies = new Set<string>();
    for (let n = 0; n < 40; n += 1) replies.add((await flooded.hand(`a@${domain}`, message)).slice(0, 9));
    assert.deepEqual([...replies].toSorted(), ['250 2.0.0', '451 4.7.1']);
    assert.match(await flooded.hand(`a@${otherDomain}`, message), /^250 /);
  } finally {
    await flooded.stop();
    bed = previous;
  }
});
