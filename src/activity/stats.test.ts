import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { foldStats } from './fold-stats.ts';

const clock = createMovableClock(new Date());
let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api', clock });
});
after(async () => await service.stop());

interface Given {
  at: string;
  status?: number;
  sender_id?: number;
  category_id?: number | null;
  custom_group_code?: string | null;
  test_mode?: boolean;
  recipient?: string;
}

/** Any moment has a place: what the service itself keeps is from last month to three months ahead. */
async function addMail(owner: Tenant, given: Given): Promise<string> {
  const [row] = await service.db.query<{ mail_id: string }>(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, category_id, custom_group_code, received_at)
     select (left(uuid_at($2)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, gen_random_uuid(), $1, $3,
       $8, 'to', $4, 'b@example.com', 'x', $5, $6, $7, $2
     returning mail_id`,
    [
      owner.instance.id,
      given.at,
      given.status ?? 2,
      given.sender_id ?? 1,
      given.test_mode ?? false,
      given.category_id ?? null,
      given.custom_group_code ?? null,
      given.recipient ?? 'a@example.com',
    ],
  );
  return row?.mail_id ?? '';
}

async function anyMonth(): Promise<void> {
  for (const parent of ['mails', 'events', 'mail_subjects']) {
    await service.db.query(`create table if not exists ${parent}_old partition of ${parent}
      for values from (uuid_at('2020-01-01Z')) to (uuid_at('2025-01-01Z'))`);
  }
}

const overview = async (owner: Tenant, query: string) =>
  (await owner.api.get(`/v1/stats/overview?${query}`)).json;
const day = (owner: Tenant, more = '') =>
  overview(owner, `start_date=2024-06-01&end_date=2024-06-01&tz=UTC&${more}`);
const setMail = async (mail_id: string, change: string): Promise<void> => {
  await service.db.query(`update mails set ${change} where mail_id = $1`, [mail_id]);
};

test('a mail moves through the totals with its state, whether or not they were added up in between', async () => {
  await anyMonth();
  for (const folds of [false, true]) {
    const owner = await service.tenant();
    const fold = async (): Promise<void> => {
      if (folds) while ((await foldStats(service.db)) > 0);
    };
    const mail = await addMail(owner, { at: '2024-06-01T10:07:00Z' });
    await fold();
    await setMail(mail, 'status = 5');
    await fold();
    assert.deepEqual(pick(await day(owner), ['received', 'deferred', 'sent', 'test']), [1, 1, 0, 0]);
    await setMail(mail, 'status = 3, sent_at = now()');
    await setMail(mail, 'opens = opens + 2');
    await fold();
    await setMail(mail, 'opens = opens + 1, clicks = clicks + 1');
    const { totals, rates } = await day(owner);
    assert.deepEqual(totals, {
      received: 1,
      sent: 1,
      dropped: 0,
      deferred: 0,
      bounced: 0,
      onhold: 0,
      test: 0,
      opens: 3,
      unique_opens: 1,
      clicks: 1,
      unique_clicks: 1,
      unsubscribes: 0,
      complaints: 0,
    });
    assert.deepEqual(rates, { delivery: 1, bounce: 0, open: 1, click: 1, complaint: 0, unsubscribe: 0 });
    await setMail(mail, 'status = 6');
    const late = await day(owner);
    assert.deepEqual(pick(late, ['sent', 'bounced', 'unique_opens']), [0, 1, 1]);
    assert.deepEqual([late.rates.open, late.rates.bounce], [0, 1]);
  }
});

const pick = ({ totals }: { totals: Record<string, number> }, names: string[]) =>
  names.map((name) => totals[name]);

test('unsubscribes and complaints count with the mail they came by', async () => {
  const owner = await service.tenant();
  const mail_id = await addMail(owner, { at: '2024-06-01T10:00:00Z', status: 3, custom_group_code: 'g' });
  const columns = 'mail_id, msg_id, instance_id, sender_id, sender, recipient';
  const values = `select mail_id, msg_id, instance_id, sender_id, sender_email, recipient from mails where mail_id = $1`;
  await service.db.query(
    `insert into unsubscribes (${columns}, method, unsubscribed_at) select mail.*, 'page', now() from (${values}) as mail`,
    [mail_id],
  );
  await service.db.query(
    `insert into complaints (${columns}, type, complained_at) select mail.*, 'spam', now() from (${values}) as mail`,
    [mail_id],
  );
  for (const query of ['', 'sender_id=1', 'custom_group_code=g']) {
    assert.deepEqual(pick(await day(owner, query), ['received', 'unsubscribes', 'complaints']), [1, 1, 1]);
  }
});

test('mail in test mode counts as a test and as nothing else, whatever becomes of it', async () => {
  for (const folds of [false, true]) {
    const owner = await service.tenant();
    const fold = async (): Promise<void> => {
      if (folds) while ((await foldStats(service.db)) > 0);
    };
    const at = '2024-06-01T10:07:00Z';
    await addMail(owner, { at, status: 3, custom_group_code: 'g' });
    const tested = await addMail(owner, { at, status: 2, custom_group_code: 'g', test_mode: true });
    await addMail(owner, { at, status: 6, custom_group_code: 'g', test_mode: true });
    await fold();
    await setMail(tested, 'status = 3, opens = 4, clicks = 2');
    await fold();
    await service.db.query(
      `insert into complaints (mail_id, msg_id, instance_id, sender_id, sender, recipient, type, complained_at)
       select mail_id, msg_id, instance_id, sender_id, sender_email, recipient, 'spam', now() from mails where mail_id = $1`,
      [tested],
    );
    await fold();
    for (const query of ['', 'sender_id=1', 'custom_group_code=g', 'interval=hour']) {
      const { totals, rates, series } = await day(owner, query);
      const nonZero = Object.entries(totals).filter(([, value]) => value !== 0);
      assert.deepEqual(nonZero, Object.entries({ received: 1, sent: 1, test: 2 }), query);
      assert.deepEqual(rates, { delivery: 1, bounce: 0, open: 0, click: 0, complaint: 0, unsubscribe: 0 });
      assert.equal(Math.max(...series.map(({ received }: { received: number }) => received)), 1);
    }
  }
});

test('statistics are filtered by sender, category and group, within one instance', async () => {
  const owner = await service.tenant();
  const other = await service.tenant();
  const [category] = await service.db.query<{ id: number }>(
    `insert into categories (instance_id, slug) values ($1, 'order-mail') returning id`,
    [owner.instance.id],
  );
  const at = '2024-06-01T10:00:00Z';
  await addMail(owner, { at, sender_id: 7, category_id: category?.id ?? 0, custom_group_code: 'spring' });
  await addMail(owner, { at, sender_id: 7 });
  await addMail(owner, { at, sender_id: 8, custom_group_code: 'spring' });
  await addMail(owner, { at, sender_id: 8, custom_group_code: '' });
  await addMail(other, { at, sender_id: 7, custom_group_code: 'spring' });
  for (const folded of [false, true]) {
    if (folded) while ((await foldStats(service.db)) > 0);
    const received = async (query: string): Promise<number> => (await day(owner, query)).totals.received;
    assert.equal(await received(''), 4);
    assert.equal(await received('sender_id=7'), 2);
    assert.equal(await received('sender_id=9'), 0);
    assert.equal(await received('category=Order%20Mail'), 1);
    assert.equal(await received('category=nothing'), 0);
    assert.equal(await received('category=%21'), 0);
    assert.equal(await received('custom_group_code=spring'), 2);
    assert.equal(await received('custom_group_code='), 4);
    assert.equal(await received('custom_group_code=spring&sender_id=8'), 1);
    assert.equal(await received('custom_group_code=spring&category=order-mail&sender_id=7'), 1);
  }
});

test('days are those of the zone, with 23 and 25 hours where time changes, and none is left out', async () => {
  const owner = await service.tenant({ instance: { timezone: 'Europe/Madrid' } });
  // Summer time began on 31 March 2024 at 1:00 UTC and ended on 27 October 2024 at 1:00 UTC.
  await addMail(owner, { at: '2024-03-30T22:59:59.999Z' });
  await addMail(owner, { at: '2024-03-30T23:00:00Z' });
  await addMail(owner, { at: '2024-03-31T21:59:59Z' });
  await addMail(owner, { at: '2024-03-31T22:00:00Z' });
  const days = await overview(owner, 'start_date=2024-03-30&end_date=2024-04-01');
  assert.deepEqual(
    days.series.map(({ at, received }: { at: string; received: number }) => [at, received]),
    [
      ['2024-03-29T23:00:00.000Z', 1],
      ['2024-03-30T23:00:00.000Z', 2],
      ['2024-03-31T22:00:00.000Z', 1],
    ],
  );
  assert.deepEqual([days.tz, days.start_date, days.end_date], ['Europe/Madrid', '2024-03-30', '2024-04-01']);
  const hours = async (date: string): Promise<number> =>
    (await overview(owner, `start_date=${date}&end_date=${date}&interval=hour`)).series.length;
  assert.deepEqual(
    [await hours('2024-03-31'), await hours('2024-10-27'), await hours('2024-10-28')],
    [23, 25, 24],
  );
});

test('zones of half and quarter hours have hours of their own', async () => {
  const owner = await service.tenant();
  await addMail(owner, { at: '2024-06-01T18:14:59Z' });
  await addMail(owner, { at: '2024-06-01T18:15:00Z' });
  await addMail(owner, { at: '2024-06-01T18:30:00Z' });
  const first = async (tz: string): Promise<unknown> => {
    const { series } = await overview(
      owner,
      `start_date=2024-06-02&end_date=2024-06-02&interval=hour&tz=${tz}`,
    );
    return [series[0].at, series[0].received];
  };
  assert.deepEqual(await first('Asia/Kathmandu'), ['2024-06-01T18:15:00.000Z', 2]);
  assert.deepEqual(await first('Asia/Kolkata'), ['2024-06-01T18:30:00.000Z', 1]);
});

test('a range is bounded, in order and of dates; without one it is the last three months', async () => {
  const owner = await service.tenant();
  const status = async (query: string): Promise<number> =>
    (await owner.api.get(`/v1/stats/overview?${query}`)).status;
  assert.equal(await status('start_date=2024-01-01&end_date=2023-01-01'), 400);
  assert.equal(await status('start_date=2024-02-30'), 400);
  assert.equal(await status('start_date=2020-01-01&end_date=2024-01-01'), 400);
  assert.equal(await status('start_date=2024-01-01&end_date=2024-02-01&interval=hour'), 400);
  assert.equal(await status('start_date=2024-01-01&end_date=2024-01-31&interval=hour'), 200);
  assert.equal(await status('start_date=2022-01-01&end_date=2023-12-31'), 200);
  assert.equal(await status('interval=week'), 422);
  const { series } = await overview(owner, '');
  assert.ok(series.length >= 90 && series.length <= 93, `${series.length} days`);
});

test('a sent mail shows in the statistics of today', async () => {
  const owner = await service.tenant();
  await owner.api.post('/v1/mails/send', {
    sender_email: `test@${owner.instance.slug}.sandbox.test`,
    to: [{ email: 'a@sandbox.test' }, { email: 'b@sandbox.test' }],
    subject: 'x',
    html: '<p>x</p>',
    category: 'Welcome!',
  });
  assert.deepEqual(pick(await overview(owner, 'category=welcome'), ['received', 'sent']), [2, 0]);
});

test('mail to the sandbox is told from other mail, whether or not it was added up in between', async () => {
  await anyMonth();
  const owner = await service.tenant();
  const at = '2024-06-01T10:00:00Z';
  const real = await addMail(owner, { at, sender_id: 4 });
  const captured = await addMail(owner, { at, sender_id: 4, recipient: 'bounce+1@Sandbox.test' });
  await addMail(owner, { at, sender_id: 4, recipient: 'x@shop.sandbox.test', custom_group_code: 'g' });
  await addMail(owner, { at, recipient: 'x@sandbox.test', test_mode: true });
  await addMail(owner, { at, recipient: 'x@notsandbox.test' });
  const counts = async (more: string) => {
    const { totals } = await day(owner, more);
    return [totals.received, totals.sent, totals.bounced, totals.test];
  };
  const expectCounts = async () => {
    assert.deepEqual(await counts(''), [4, 1, 1, 1]);
    assert.deepEqual(await counts('sandbox=false'), [2, 1, 0, 0]);
    assert.deepEqual(await counts('sandbox=true'), [2, 0, 1, 1]);
    assert.deepEqual(await counts('sandbox=false&sender_id=4'), [1, 1, 0, 0]);
    assert.deepEqual(await counts('sandbox=true&sender_id=4'), [2, 0, 1, 0]);
    assert.deepEqual(await counts('sandbox=true&custom_group_code=g'), [1, 0, 0, 0]);
    assert.deepEqual(await counts('sandbox=false&custom_group_code=g'), [0, 0, 0, 0]);
  };
  await foldStats(service.db);
  await setMail(real, 'status = 3');
  await setMail(captured, 'status = 6');
  await expectCounts();
  await foldStats(service.db);
  await expectCounts();
  await setMail(captured, `recipient = 'erased@erased.invalid'`);
  await expectCounts();
  await foldStats(service.db);
  await expectCounts();
});

test('statistics of a domain include all its senders, deleted ones too', async () => {
  await anyMonth();
  const owner = await service.tenant();
  const [domain] = await service.db.query<{ id: number; sender_id: number }>(
    `select d.id, s.id as sender_id from domains d join senders s on s.domain_id = d.id where d.instance_id = $1`,
    [owner.instance.id],
  );
  assert.ok(domain);
  const at = '2024-06-01T10:00:00Z';
  await addMail(owner, { at, sender_id: domain.sender_id });
  await addMail(owner, { at, sender_id: 999_999 });
  await service.db.query('update senders set deleted_at = now() where id = $1', [domain.sender_id]);
  assert.equal((await day(owner, `domain_id=${domain.id}`)).totals.received, 1);
  await foldStats(service.db);
  assert.equal((await day(owner, `domain_id=${domain.id}`)).totals.received, 1);
  const stranger = await service.tenant();
  assert.equal((await day(stranger, `domain_id=${domain.id}`)).totals.received, 0);
});

test('the breakdown has the hours of the local day, and providers with their families', async () => {
  await anyMonth();
  const owner = await service.tenant();
  await addMail(owner, { at: '2024-06-01T13:20:00Z', status: 3, recipient: 'a@gmail.com' });
  await addMail(owner, { at: '2024-06-02T13:40:00Z', status: 6, recipient: 'b@GoogleMail.com' });
  await addMail(owner, { at: '2024-06-02T23:40:00Z', status: 3, recipient: 'x@shop.example' });
  await addMail(owner, { at: '2024-06-02T23:41:00Z', status: 3, recipient: 'x@sandbox.test' });
  const read = async (more: string) =>
    (
      await owner.api.get(
        `/v1/stats/breakdown?start_date=2024-06-01&end_date=2024-06-02&tz=America/Santiago&${more}`,
      )
    ).json;
  const real = await read('sandbox=false');
  assert.equal(real.hours.length, 24);
  assert.deepEqual(
    real.hours
      .filter(({ received }: { received: number }) => received > 0)
      .map((each: { hour: number; received: number; sent: number }) => [each.hour, each.received, each.sent]),
    [
      [9, 2, 1],
      [19, 1, 1],
    ],
  );
  assert.deepEqual(
    real.providers.map((each: { provider: string; received: number; bounced: number }) => [
      each.provider,
      each.received,
      each.bounced,
    ]),
    [
      ['gmail.com', 2, 1],
      ['shop.example', 1, 0],
    ],
  );
  assert.equal(real.sampled, 3);
  assert.equal((await read('')).sampled, 4);
});
