import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { writeEvent, writeMail, type WrittenMail } from './activity-data.fixture.ts';

const now = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + 12 * 3_600_000);
const clock = createMovableClock(now);
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

let service: TestService;
let tenant: Tenant;
let ana: WrittenMail;
let bea: WrittenMail;
let cid: WrittenMail;
before(async () => {
  service = await startTestService({ roles: 'api', clock });
  tenant = await service.tenant({ instance: { timezone: 'Europe/Madrid' } });
  const at = hoursAgo(50);
  const labels = { custom_msg_id: 'order-1', custom_group_code: 'shop' };
  ana = await writeMail(service, tenant, { at, recipient: 'Ana@example.com', sent_at: at, ...labels });
  bea = await writeMail(service, tenant, { at, msg_id: ana.msg_id, recipient: 'bea@example.com', ...labels });
  cid = await writeMail(service, tenant, { at: hoursAgo(30), recipient: 'cid@example.com', subject: 'News' });
  const open = async ({ mail_id }: WrittenMail, hours: number, is_machine = false) =>
    await writeEvent(service, tenant, {
      mail_id,
      at: hoursAgo(hours),
      event: 'opened',
      is_machine,
      data: { user_agent: `agent ${hours}` },
    });
  await open(ana, 49);
  await open(ana, 48);
  await open(bea, 47, true);
  await open(cid, 20);
  await open(ana, 10);
  await open(bea, 5);
  for (const [mail, hours] of [
    [ana, 9],
    [ana, 8],
    [cid, 7],
  ] as const) {
    await writeEvent(service, tenant, {
      mail_id: mail.mail_id,
      at: hoursAgo(hours),
      event: 'clicked',
      data: { url: `https://example.com/${hours}`, user_agent: null },
    });
  }
});
after(async () => await service.stop());

const get = async (list: string, query = '') =>
  (await tenant.api.get(`/v1/activities/${list}?${query}`)).json;

test('opens are listed one by one, newest first, those of machines when they are asked for', async () => {
  const people = await get('opens');
  assert.equal(people.pagination.total_items, 5);
  assert.deepEqual(
    people.data.map((row: Record<string, unknown>) => row['is_machine']),
    people.data.map(() => false),
  );
  const { data, pagination } = await get('opens', 'include_machine=true');
  assert.deepEqual((await get('opens', 'include_machine=false')).data, people.data);
  assert.deepEqual(
    data.map(({ to, user_agent, is_machine }: Record<string, unknown>) => [to, user_agent, is_machine]),
    [
      ['bea@example.com', 'agent 5', false],
      ['Ana@example.com', 'agent 10', false],
      ['cid@example.com', 'agent 20', false],
      ['bea@example.com', 'agent 47', true],
      ['Ana@example.com', 'agent 48', false],
      ['Ana@example.com', 'agent 49', false],
    ],
  );
  assert.equal(pagination.total_items, 6);
  assert.deepEqual(data[1], {
    mail_id: ana.mail_id,
    msg_id: ana.msg_id,
    to: 'Ana@example.com',
    sender: 'hello@example.com',
    opened_at: hoursAgo(10).toISOString(),
    user_agent: 'agent 10',
    is_machine: false,
    open_count: 1,
    sent_at: ana.sent_at?.toISOString(),
    custom_msg_id: 'order-1',
    custom_group_code: 'shop',
    category: null,
    test_mode: false,
    tags: {},
  });
});

test('grouping by mail and by message counts the opens of people in the range, without a total', async () => {
  const byMail = await get('opens', 'group_by=mail_id');
  assert.deepEqual(byMail.pagination, {
    page: 1,
    page_size: 20,
    has_more: false,
    total_items: null,
    total_pages: null,
  });
  assert.deepEqual(
    byMail.data.map(({ to, open_count }: Record<string, unknown>) => [to, open_count]),
    [
      ['cid@example.com', 1],
      ['bea@example.com', 1],
      ['Ana@example.com', 3],
    ],
  );
  assert.deepEqual(byMail.data[2], {
    mail_id: ana.mail_id,
    msg_id: ana.msg_id,
    to: 'Ana@example.com',
    sender: 'hello@example.com',
    open_count: 3,
    first_opened_at: hoursAgo(49).toISOString(),
    last_opened_at: hoursAgo(10).toISOString(),
    sent_at: ana.sent_at?.toISOString(),
    custom_msg_id: 'order-1',
    custom_group_code: 'shop',
    category: null,
    test_mode: false,
    tags: {},
  });
  const byMessage = await get('opens', 'group_by=msg_id');
  assert.deepEqual(byMessage.data[1], {
    msg_id: ana.msg_id,
    sender: 'hello@example.com',
    subject: 'Order',
    open_count: 4,
    recipients_opened: 2,
    rcpt_count: 2,
    first_opened_at: hoursAgo(49).toISOString(),
    last_opened_at: hoursAgo(5).toISOString(),
    custom_msg_id: 'order-1',
    custom_group_code: 'shop',
    category: null,
    test_mode: false,
    tags: {},
  });
});

test('include_machines adds machines to every grouping and export, and counts equal the detail', async () => {
  const owner = await service.tenant();
  const scanned = await writeMail(service, owner, { at: hoursAgo(30), recipient: 'scanned@example.com' });
  const read = await writeMail(service, owner, { at: hoursAgo(29), recipient: 'read@example.com' });
  for (const event of ['opened', 'clicked'] as const) {
    for (const [{ mail_id }, hours, is_machine] of [
      [scanned, 28, true],
      [scanned, 27, true],
      [read, 26, true],
      [read, 25, false],
    ] as const) {
      await writeEvent(service, owner, { mail_id, at: hoursAgo(hours), event, is_machine });
    }
  }
  for (const [list, count] of [
    ['opens', 'open_count'],
    ['clicks', 'click_count'],
  ] as const) {
    const rows = async (query: string): Promise<Record<string, unknown>[]> => {
      const { data } = (await owner.api.get(`/v1/activities/${list}?${query}`)).json;
      const file = await owner.api.get(`/v1/activities/${list}/export?format=json&${query}`);
      assert.equal(file.json.data.length, data.length);
      return data;
    };
    for (const [machines, detail, groups] of [
      ['', 1, [1]],
      ['&include_machine=true', 4, [2, 2]],
    ] as const) {
      assert.equal((await rows(`group_by=none${machines}`)).length, detail);
      for (const key of ['mail_id', 'msg_id']) {
        const counts = (await rows(`group_by=${key}${machines}`)).map((row) => row[count]);
        assert.deepEqual(counts, groups, `${list} by ${key}${machines}`);
      }
    }
  }
});

test('the range is of the opens, filters apply before grouping, and pages follow each other', async () => {
  const today = hoursAgo(0).toISOString().slice(0, 10);
  const counts = async (query: string): Promise<unknown> =>
    (await get('opens', query)).data.map(({ open_count }: { open_count: number }) => open_count);
  assert.deepEqual(await counts(`group_by=mail_id&tz=UTC&start_date=${today}`), [1, 1]);
  assert.deepEqual(await counts('group_by=msg_id&recipient=ANA%40example.com'), [3]);
  assert.deepEqual(await counts('group_by=mail_id&recipient=b&recipient_operator=starts_with'), [1]);
  assert.deepEqual(await counts('group_by=mail_id&subject=ew'), [1]);
  assert.deepEqual(await counts('group_by=mail_id&custom_group_code=shop'), [1, 3]);
  const pages = await Promise.all(
    [1, 2, 3].map((page) => get('opens', `group_by=mail_id&page_size=2&page=${page}`)),
  );
  assert.deepEqual(
    pages.map(({ data, pagination }) => [data.length, pagination.has_more]),
    [
      [2, true],
      [1, false],
      [0, false],
    ],
  );
  assert.equal((await tenant.api.get('/v1/activities/opens?group_by=sender')).status, 422);
  assert.equal((await tenant.api.get('/v1/activities/opens?start_date=x')).status, 400);
});

test('clicks have their link, and are grouped as opens are', async () => {
  const { data } = await get('clicks');
  assert.deepEqual(
    data.map(({ to, url, user_agent }: Record<string, unknown>) => [to, url, user_agent]),
    [
      ['cid@example.com', 'https://example.com/7', null],
      ['Ana@example.com', 'https://example.com/8', null],
      ['Ana@example.com', 'https://example.com/9', null],
    ],
  );
  const byMessage = await get('clicks', 'group_by=msg_id');
  assert.deepEqual(
    byMessage.data.map((row: Record<string, unknown>) => [
      row['click_count'],
      row['recipients_clicked'],
      row['rcpt_count'],
    ]),
    [
      [1, 1, 1],
      [2, 1, 2],
    ],
  );
});

test('bounces tell what the server said, and can be asked for by type', async () => {
  const owner = await service.tenant();
  for (const [type, hours] of [
    ['hard', 3],
    ['block', 2],
  ] as const) {
    const { mail_id } = await writeMail(service, owner, {
      at: hoursAgo(4),
      status: 6,
      recipient: `${type}@example.com`,
    });
    const data = {
      type,
      smtp_code: 550,
      enhanced_code: '5.1.1',
      response: '550 5.1.1 no',
      remote_host: 'mx.example.com',
    };
    await writeEvent(service, owner, { mail_id, at: hoursAgo(hours), event: 'bounced', data });
  }
  const list = async (query = '') => (await owner.api.get(`/v1/activities/bounced?${query}`)).json;
  const { data, pagination } = await list();
  assert.deepEqual([data.length, pagination.total_items, data[0].type], [2, 2, 'block']);
  const {
    data: [bounce],
  } = await list('type=hard');
  assert.deepEqual(
    [
      bounce.to,
      bounce.bounced_at,
      bounce.smtp_code,
      bounce.enhanced_code,
      bounce.diagnostic,
      bounce.remote_host,
    ],
    ['hard@example.com', hoursAgo(3).toISOString(), 550, '5.1.1', '550 5.1.1 no', 'mx.example.com'],
  );
  assert.equal((await owner.api.get('/v1/activities/bounced?type=odd')).status, 422);
  const csv = (await owner.api.get('/v1/activities/bounced/export?recipient=hard%40example.com')).text;
  assert.equal(csv.trimEnd().split('\r\n').length, 2);
});

test('events from before a clock was set back appear in groups, log and explanation of the mail', async () => {
  const owner = await service.tenant();
  const { mail_id } = await writeMail(service, owner, { at: hoursAgo(4), status: 6, sent_at: hoursAgo(4) });
  await writeEvent(service, owner, { mail_id, at: hoursAgo(5), event: 'opened' });
  await writeEvent(service, owner, { mail_id, at: hoursAgo(5), event: 'bounced', data: { type: 'hard' } });
  await service.db.query(
    `update events set reason = 'no_such_user' where mail_id = $1 and event = 'bounced'`,
    [mail_id],
  );
  const read = async (path: string) => (await owner.api.get(path)).json;
  for (const grouping of ['none', 'mail_id', 'msg_id']) {
    assert.equal((await read(`/v1/activities/opens?group_by=${grouping}`)).data.length, 1, grouping);
  }
  const logged = (await read(`/v1/mails/${mail_id}/logs`)).data.map(({ event }: { event: string }) => event);
  assert.deepEqual(logged.toSorted(), ['bounced', 'opened', 'queued', 'received']);
  assert.equal((await read(`/v1/mails/${mail_id}/explanation`)).cause.code, 'no_such_user');
});

test('the exports of opens and clicks have the columns of their grouping and the rows of their list', async () => {
  for (const list of ['opens', 'clicks']) {
    for (const grouping of ['none', 'mail_id', 'msg_id']) {
      const query = `group_by=${grouping}&page_size=100`;
      const { data } = await get(list, query);
      const exported = await tenant.api.get(`/v1/activities/${list}/export?format=json&group_by=${grouping}`);
      const dated = (rows: Record<string, unknown>[]) =>
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) =>
              name.endsWith('_at') && typeof value === 'string'
                ? [name, new Date(value).getTime()]
                : [name, value],
            ),
          ),
        );
      assert.deepEqual(dated(exported.json.data), dated(data), `${list} by ${grouping}`);
      assert.ok(data.length > 0);
    }
  }
});

test('another instance has none of it', async () => {
  const other = await service.tenant();
  for (const list of ['opens', 'opens?group_by=mail_id', 'opens?group_by=msg_id', 'clicks', 'bounced']) {
    assert.deepEqual((await other.api.get(`/v1/activities/${list}`)).json.data, [], list);
  }
});

test('lists leave out rows and totals of a blocked person, and their mail has no log', async () => {
  const own = await service.tenant();
  const [blocked, left] = ['blocked@example.com', 'left@example.com'];
  const mails = new Map<string, string>();
  for (const recipient of [blocked, left]) {
    const { mail_id } = await writeMail(service, own, { at: hoursAgo(3), recipient });
    mails.set(recipient, mail_id);
    for (const event of ['opened', 'clicked', 'bounced'] as const) {
      await writeEvent(service, own, { mail_id, at: hoursAgo(2), event });
    }
  }
  const engagements = ['opens', 'clicks'].flatMap((list) =>
    ['none', 'mail_id', 'msg_id'].map((grouping) => `activities/${list}?group_by=${grouping}`),
  );
  const lists = ['mails', 'mails?subject=Order', 'activities/bounced', ...engagements];
  const counts = async (): Promise<unknown> =>
    await Promise.all(
      lists.map(async (list) => {
        const { data, pagination } = (await own.api.get(`/v1/${list}`)).json;
        // Groups have no total.
        return [list, data.length, pagination.total_items ?? data.length];
      }),
    );
  const logStatus = async (recipient: string): Promise<number> =>
    (await own.api.get(`/v1/mails/${mails.get(recipient)}/logs`)).status;
  const each = (count: number): unknown => lists.map((list) => [list, count, count]);
  assert.deepEqual(await counts(), each(2));
  assert.equal(await logStatus(blocked), 200);
  const contacts = [{ contact_type: 'email_address', contact: blocked }];
  const asked = await own.api.post('/v1/rights-requests', { kind: 'blocking', contacts });
  assert.equal((await own.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {})).status, 200);
  assert.deepEqual(await counts(), each(1));
  assert.deepEqual([await logStatus(blocked), await logStatus(left)], [404, 200]);
});
