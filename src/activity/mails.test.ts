import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { writeEvent } from './activity-data.fixture.ts';

let service: TestService;
let tenant: Tenant;
let msgId: string;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant({ instance: { timezone: 'America/Santiago' } });
  msgId = await send({
    custom_msg_id: 'order-1',
    custom_group_code: 'shop',
    to: [{ email: 'Ana@sandbox.test' }, { email: 'bea@sandbox.test' }],
  });
  await send({ custom_msg_id: 'order-2', subject: '50% off_ÑANDÚ', to: [{ email: 'anabel@sandbox.test' }] });
});
after(async () => await service.stop());

async function send(more: Record<string, unknown>): Promise<string> {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    subject: 'Order',
    html: '<p>x</p>',
    ...more,
  });
  return json.message_id;
}
const recipients = async (query: string, path = '/v1/mails'): Promise<string[]> =>
  (await tenant.api.get(`${path}?${query}`)).json.data.map(({ to }: { to: string }) => to);
const everyone = ['anabel@sandbox.test', 'bea@sandbox.test', 'Ana@sandbox.test'];

test('the list has one item per recipient, newest first, and a mail is read by its id', async () => {
  assert.deepEqual(await recipients(''), everyone);
  const { json } = await tenant.api.get('/v1/mails?recipient=bea%40sandbox.test');
  const [mail] = json.data;
  assert.deepEqual(
    [
      mail.msg_id,
      mail.status,
      mail.status_name,
      mail.schedule_at,
      mail.delay,
      mail.sent_at,
      mail.opens,
      mail.custom_group_code,
    ],
    [msgId, 2, 'queued', null, null, null, 0, 'shop'],
  );
  assert.deepEqual((await tenant.api.get(`/v1/mails/${mail.mail_id}`)).json, mail);
});

const filters: [string, string[]][] = [
  ['custom_msg_id=order-2', ['anabel@sandbox.test']],
  ['custom_msg_id=order-%25', []],
  ['custom_group_code=shop', ['bea@sandbox.test', 'Ana@sandbox.test']],
  ['recipient=ANA%40sandbox.test', ['Ana@sandbox.test']],
  ['recipient=ana', []],
  ['subject=%25%20OFF', ['anabel@sandbox.test']],
  ['subject=_%C3%B1and', ['anabel@sandbox.test']],
  ['subject=rde_', []],
  ['status=2', everyone],
  ['status=3', []],
  ['status=queued', everyone],
  ['status=sent', []],
  ['statuses=queued&statuses=3', everyone],
  ['statuses=deferred&statuses=bounced', []],
  ['status=queued&statuses=bounced', []],
  ['status=queued&custom_msg_id=order-2', ['anabel@sandbox.test']],
  ['statuses=sent&statuses=queued&custom_msg_id=order-2', ['anabel@sandbox.test']],
  ['statuses=2&statuses=3', everyone],
  ['statuses=5&statuses=6', []],
  ['status=2&statuses=6', []],
  ['status=', everyone],
  ['recipient=&subject=&custom_msg_id=&msg_id=&mail_id=&category=&tz=&start_date=&page=', everyone],
  ['status=null', everyone],
  ['opened=&sender_id=null&recipient_operator=', everyone],
  ['custom_msg_id=null', []],
  ['opened=all', everyone],
  ['opened=opened', []],
  ['msg_id=nonsense', []],
  ['mail_id=01900000-0000-7000-8000-000000000000', []],
  ['sender_id=999999', []],
  ['start_date=2020-01-01&end_date=2020-12-31', []],
  ['start_date=2999-01-01', []],
  ['start_date=9999-12-31', []],
  ['tz=Nowhere/Land', everyone],
];
for (const [query, expected] of filters) {
  test(`?${query} finds ${expected.length}`, async () => assert.deepEqual(await recipients(query), expected));
}

for (const [query, code] of [
  ['status=delivered', 'string_pattern_mismatch'],
  ['status=Sent', 'string_pattern_mismatch'],
  ['status=0', 'greater_than_equal'],
  ['status=8', 'less_than_equal'],
] as const) {
  test(`?${query} is refused with ${code}`, async () => {
    const { status, json } = await tenant.api.get(`/v1/mails?${query}`);
    assert.deepEqual([status, json.errors[0].pointer, json.errors[0].code], [422, '/status', code]);
  });
}

test('a message is found by its id', async () => {
  assert.deepEqual(await recipients(`msg_id=${msgId}`), ['bea@sandbox.test', 'Ana@sandbox.test']);
});

for (const path of ['/v1/mails', '/v1/activities/sent']) {
  test(`${path} finds the beginning of a recipient`, async () => {
    assert.deepEqual(await recipients('recipient=ana&recipient_operator=starts_with', path), [
      'anabel@sandbox.test',
      'Ana@sandbox.test',
    ]);
    assert.deepEqual(await recipients('recipient=an_&recipient_operator=starts_with', path), []);
    assert.deepEqual(await recipients('recipient=ana%40sandbox.test&recipient_operator=eq', path), [
      'Ana@sandbox.test',
    ]);
    assert.deepEqual(await recipients('recipient_operator=starts_with', path), everyone);
    assert.equal((await tenant.api.get(`${path}?recipient_operator=like`)).status, 422);
  });
}

test('from a day in the future on, every list and export is empty and statistics are zero', async () => {
  const paths = [
    '/v1/activities/sent',
    '/v1/activities/opens',
    '/v1/activities/clicks',
    '/v1/activities/bounced',
    '/v1/mail-unsubscribes',
    '/v1/mail-complaints',
    '/v1/mail-restrictions',
  ];
  for (const path of paths) {
    assert.deepEqual((await tenant.api.get(`${path}?start_date=2999-01-01`)).json.data, [], path);
  }
  const file = '/v1/activities/sent/export?format=json&start_date=2999-01-01';
  assert.deepEqual((await tenant.api.get(file)).json.data, []);
  const { json } = await tenant.api.get('/v1/stats/overview?start_date=2999-01-01');
  assert.deepEqual([json.start_date, json.end_date, json.totals.received], ['2999-01-01', '2999-01-01', 0]);
});

test('an address is found as it was given, whatever letters its domain is written in', async () => {
  const other = await service.tenant();
  const { json } = await other.api.post('/v1/mails/send', {
    sender_email: `test@${other.instance.slug}.sandbox.test`,
    to: [{ email: 'Ana@ñandú.sandbox.test' }],
    subject: 'Order',
    html: '<p>x</p>',
  });
  const found = async (recipient: string): Promise<string[]> => {
    const list = await other.api.get(`/v1/mails?recipient=${encodeURIComponent(recipient)}`);
    return list.json.data.map(({ msg_id }: { msg_id: string }) => msg_id);
  };
  for (const spelling of [
    'ana@ñandú.sandbox.test',
    'ANA@ÑANDÚ.sandbox.test',
    'ana@xn--and-6ma2c.sandbox.test',
  ]) {
    assert.deepEqual(await found(spelling), [json.message_id], spelling);
  }
  for (const none of ['ñandú.sandbox.test', '@ñandú.sandbox.test', ' ana@ñandú.sandbox.test', 'ana@', '@']) {
    assert.deepEqual(await found(none), [], none);
  }
});

test('up to a day before 1970, every list and export is empty', async () => {
  const range = 'start_date=1960-01-01&end_date=1969-12-30';
  assert.deepEqual(await recipients(`subject=order&${range}`), []);
  assert.deepEqual(await recipients(`recipient=bea%40sandbox.test&${range}`), []);
  const { json } = await tenant.api.get('/v1/mails?recipient=bea%40sandbox.test');
  await writeEvent(service, tenant, { mail_id: json.data[0].mail_id, at: new Date(), event: 'opened' });
  const paths = ['sent/export?format=json', 'opens?', 'opens?group_by=mail_id', 'opens/export?format=json'];
  for (const path of paths) {
    assert.deepEqual((await tenant.api.get(`/v1/activities/${path}&${range}`)).json.data, [], path);
  }
});

test('malformed dates are 400, a status outside 1 to 7 is 422', async () => {
  for (const query of [
    'start_date=2026-13-01',
    'end_date=yesterday',
    'start_date=2026-02-02&end_date=2026-02-01',
  ]) {
    assert.equal((await tenant.api.get(`/v1/mails?${query}`)).status, 400, query);
  }
  assert.equal((await tenant.api.get('/v1/mails?status=8')).status, 422);
  assert.equal((await tenant.api.get('/v1/mails?statuses=2&statuses=8')).status, 422);
});

test('mail to the sandbox is listed by itself or left out, and that of a domain by the domain', async () => {
  assert.deepEqual(await recipients('sandbox=true'), everyone);
  assert.deepEqual(await recipients('sandbox=false'), []);
  const [domain] = await service.db.query<{ id: number }>('select id from domains where instance_id = $1', [
    tenant.instance.id,
  ]);
  assert.deepEqual(await recipients(`domain_id=${domain?.id}`), everyone);
  assert.deepEqual(await recipients(`domain_id=${domain?.id}&subject=order`), everyone.slice(1));
  assert.deepEqual(await recipients('domain_id=999999'), []);
});

test('another instance sees none of it', async () => {
  const other = await service.tenant();
  assert.deepEqual((await other.api.get(`/v1/mails?msg_id=${msgId}`)).json.data, []);
  const { json } = await tenant.api.get(`/v1/mails?msg_id=${msgId}`);
  assert.equal((await other.api.get(`/v1/mails/${json.data[0].mail_id}`)).json.code, 'mail_not_found');
});
