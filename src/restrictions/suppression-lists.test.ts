import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { recordComplaint } from '../events/record-complaint.ts';
import { recordResubscribe, recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { acceptedMail, leaveRetention } from '../events/sent-mail.fixture.ts';

const dayMs = 86_400_000;
const now = Date.now();
const daysAgo = (days: number): Date => new Date(now - days * dayMs);
const addresses = ['Ana@sandbox.test', 'anabel@sandbox.test', 'b_e%a@sandbox.test', 'ÑANDÚ@sandbox.test'];

let service: TestService;
let tenant: Tenant;
let other: Tenant;
const mails = new Map<string, string>();
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant({ instance: { timezone: 'America/Santiago' } });
  other = await service.tenant();
  for (const address of addresses) mails.set(address, await acceptedMail(service, tenant, address));
  const { db } = service;
  for (const [index, address] of addresses.entries()) {
    // Recorded in order, the last one longest ago: its month need not have a partition for events.
    const mail_id = mailOf(address);
    await recordUnsubscribe(db, { mail_id, method: 'page', reason: address, at: new Date(now) });
    await recordComplaint(db, {
      mail_id,
      type: index === 0 ? 'spam' : 'fraud',
      comment: null,
      at: new Date(now),
    });
    await db.query('update unsubscribes set unsubscribed_at = $2 where mail_id = $1', [
      mail_id,
      daysAgo(index * 60),
    ]);
    await db.query('update complaints set complained_at = $2 where mail_id = $1', [
      mail_id,
      daysAgo(index * 60),
    ]);
    await db.query('update restrictions set created_at = $2 where mail_id = $1', [
      mail_id,
      daysAgo(index * 60),
    ]);
  }
});
after(async () => await service.stop());

function mailOf(address: string): string {
  const mail_id = mails.get(address);
  assert.ok(mail_id);
  return mail_id;
}

async function found(path: string, query: string): Promise<string[]> {
  const { status, json, text } = await tenant.api.get(`/v1/${path}?${query}`);
  assert.equal(status, 200, text);
  return json.data.map((row: { to?: string; recipient?: string }) => row.to ?? row.recipient);
}

const cases: [string, string[]][] = [
  ['', addresses],
  ['recipient=ana', addresses.slice(0, 2)],
  ['recipient=ANA%40', addresses.slice(0, 1)],
  ['recipient=_e%25', addresses.slice(2, 3)],
  ['recipient=%25', addresses.slice(2, 3)],
  ['recipient=_', addresses.slice(2, 3)],
  ['recipient=%C3%B1and%C3%BA', addresses.slice(3)],
  ['recipient=a+b', []],
  ['recipient=nobody', []],
  [`start_date=${dateOf(daysAgo(70))}`, addresses.slice(0, 2)],
  [`end_date=${dateOf(daysAgo(100))}`, addresses.slice(2)],
  [`start_date=${dateOf(daysAgo(130))}&end_date=${dateOf(daysAgo(50))}`, addresses.slice(1, 3)],
];
function dateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
for (const path of ['mail-unsubscribes', 'mail-complaints', 'mail-restrictions']) {
  // Restrictions are in the order in which they were made.
  const inOrder = (list: string[]): string[] => (path === 'mail-restrictions' ? list.toReversed() : list);
  for (const [query, expected] of cases) {
    test(`/v1/${path}?${query} finds ${expected.length}, newest first`, async () => {
      assert.deepEqual(await found(path, query), inOrder(expected));
    });
  }

  test(`/v1/${path} refuses malformed dates and unknown words, and shows another instance nothing`, async () => {
    for (const query of ['start_date=2026-13-01', 'start_date=2026-02-02&end_date=2026-02-01']) {
      assert.equal((await tenant.api.get(`/v1/${path}?${query}`)).status, 400, query);
    }
    for (const word of ['type', 'method', 'reason']) {
      const { status, json } = await tenant.api.get(`/v1/${path}?${word}=nonsense`);
      if (status !== 200) assert.equal(json.errors[0].code, 'enum');
    }
    assert.deepEqual((await other.api.get(`/v1/${path}`)).json.data, []);
    const { json } = await tenant.api.get(`/v1/${path}?page_size=1&page=2`);
    assert.deepEqual([json.data.length, json.pagination.total_items], [1, addresses.length]);
  });
}

test('lists are filtered by what they are about', async () => {
  assert.deepEqual(await found('mail-complaints', 'type=spam'), addresses.slice(0, 1));
  assert.deepEqual(await found('mail-unsubscribes', 'method=page'), addresses);
  assert.deepEqual(await found('mail-unsubscribes', 'method=one_click'), []);
  assert.deepEqual(await found('mail-restrictions', 'reason=manual'), []);
  assert.equal((await found('mail-restrictions', 'reason=complaint')).length, addresses.length);
  assert.deepEqual(await found('mail-complaints', 'sender_id=999999'), []);
});

test('its own instance, and no other, reads an entry by its mail, also after the mail has left retention', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'detail@sandbox.test');
  const sent_at = new Date(now - 1_000);
  await recordUnsubscribe(db, { mail_id, method: 'one_click', reason: null, at: new Date(now) });
  await recordResubscribe(db, { mail_id, at: new Date(now + 1_000) });
  await recordComplaint(db, { mail_id, type: 'other', comment: 'No.', at: new Date(now) });
  const [mail] = await db.query<{ msg_id: string }>(
    'update mails set sent_at = $2 where mail_id = $1 returning msg_id',
    [mail_id, sent_at],
  );
  const shared = {
    mail_id,
    msg_id: mail?.msg_id,
    to: 'detail@sandbox.test',
    sender: `test@${tenant.instance.slug}.sandbox.test`,
    sent_at: sent_at.toISOString(),
  };
  assert.deepEqual((await tenant.api.get(`/v1/mail-complaints/${mail_id}`)).json, {
    ...shared,
    complained_at: new Date(now).toISOString(),
    type: 'other',
    comment: 'No.',
  });
  assert.deepEqual((await tenant.api.get(`/v1/mail-unsubscribes/${mail_id.toUpperCase()}`)).json, {
    ...shared,
    unsubscribed_at: new Date(now).toISOString(),
    resubscribed_at: new Date(now + 1_000).toISOString(),
    method: 'one_click',
    lifted_for: [],
    reason: null,
  });
  await leaveRetention(service, mail_id);
  for (const kind of ['complaint', 'unsubscribe']) {
    const path = `/v1/mail-${kind}s`;
    assert.equal((await tenant.api.get(`${path}/${mail_id}`)).status, 200);
    for (const [caller, id] of [
      [other, mail_id],
      [tenant, 'nonsense'],
      [tenant, '01900000-0000-7000-8000-000000000000'],
    ] as const) {
      const { status, json } = await caller.api.get(`${path}/${id}`);
      assert.deepEqual([status, json.code], [404, `mail_${kind}_not_found`]);
    }
  }
});

test('the lists need the scope to read mail', async () => {
  const narrow = await service.tenant({ scopes: ['mail:send'] });
  for (const path of ['mail-complaints', 'mail-unsubscribes', 'mail-restrictions']) {
    assert.equal((await narrow.api.get(`/v1/${path}`)).status, 403);
  }
});

test('restrictions are listed newest first, oldest first or by address, page by page', async () => {
  const { api } = await service.tenant();
  const added = ['mia@example.com', 'Ana@example.com', 'zoe@example.com'];
  for (const recipient of added) await api.post('/v1/mail-restrictions', { recipient });
  const listed = async (query: string): Promise<string[]> =>
    (await api.get(`/v1/mail-restrictions?${query}`)).json.data.map(
      ({ recipient }: { recipient: string }) => recipient,
    );
  assert.deepEqual(await listed(''), added.toReversed());
  assert.deepEqual(await listed('sort=newest'), added.toReversed());
  assert.deepEqual(await listed('sort=oldest'), added);
  const byAddress = [added[1], added[0], added[2]];
  assert.deepEqual(await listed('sort=recipient'), byAddress);
  assert.deepEqual(await listed('sort=recipient&page_size=1&page=2'), byAddress.slice(1, 2));
  assert.equal((await api.get('/v1/mail-restrictions?sort=reason')).status, 422);
});
