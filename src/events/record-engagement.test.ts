import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../base/ids.ts';
import { erasedAddress } from '../base/personal-data.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { recordEngagement, type Engagement } from './record-engagement.ts';
import { acceptedMail, leaveRetention } from './sent-mail.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const sent = new Date('2026-11-15T12:00:00Z');
const after_ms = (ms: number): Date => new Date(sent.getTime() + ms);

async function mailWith(status: number, sent_at: Date | null): Promise<string> {
  const mail_id = await acceptedMail(service, tenant, 'delivered@sandbox.test');
  await service.db.query('update mails set status = $2, sent_at = $3 where mail_id = $1', [
    mail_id,
    status,
    sent_at,
  ]);
  return mail_id;
}
function opened(mail_id: string, more: Partial<Engagement> = {}): Engagement {
  return {
    event_id: newId(new Date()),
    mail_id,
    at: after_ms(60_000),
    event: 'opened',
    url: null,
    user_agent: 'Mail "7" \\ ñ\0',
    is_machine: false,
    is_scripted: false,
    ...more,
  };
}
async function countsOf(mail_id: string): Promise<unknown> {
  const [row] = await service.db.query('select opens, clicks from mails where mail_id = $1', [mail_id]);
  return row;
}

test('opens and clicks of many mails are counted in one statement, each on its own', async () => {
  const [one, two] = [await mailWith(3, sent), await mailWith(3, sent)];
  const click = { event: 'clicked', url: 'https://a.test/' } as const;
  const written = await recordEngagement(service.db, [
    opened(one),
    opened(one),
    opened(one, click),
    opened(two, click),
    opened(two, { is_machine: true }),
  ]);
  assert.deepEqual(await countsOf(one), { opens: 2, clicks: 1 });
  assert.deepEqual(await countsOf(two), { opens: 0, clicks: 1 });
  const total = written.reduce((sum, { count }) => sum + count, 0);
  assert.equal(total, 5);
});

test('a batch that is written twice counts once', async () => {
  const mail_id = await mailWith(3, sent);
  const batch = [opened(mail_id), opened(mail_id)];
  await recordEngagement(service.db, batch);
  await recordEngagement(service.db, [...batch, opened(mail_id)]);
  assert.deepEqual(await countsOf(mail_id), { opens: 3, clicks: 0 });
});

test('an open before the delivery or right after it is from a machine, unless the sandbox makes it', async () => {
  const soon = await mailWith(3, sent);
  await recordEngagement(service.db, [
    opened(soon, { at: after_ms(-500) }),
    opened(soon, { at: after_ms(1_900) }),
    opened(soon, { at: after_ms(100), is_scripted: true }),
    opened(soon, { at: after_ms(2_100) }),
  ]);
  assert.deepEqual(await countsOf(soon), { opens: 2, clicks: 0 });
  const waiting = await mailWith(5, null);
  await recordEngagement(service.db, [opened(waiting)]);
  assert.deepEqual(await countsOf(waiting), { opens: 0, clicks: 0 });
  // Its server had said no, and delivered it all the same.
  const bounced = await mailWith(6, null);
  await recordEngagement(service.db, [opened(bounced)]);
  assert.deepEqual(await countsOf(bounced), { opens: 1, clicks: 0 });
});

test('mails that are gone, never were, or were of a person who was erased are left out', async () => {
  const [gone, kept, erased] = [await mailWith(3, sent), await mailWith(3, sent), await mailWith(3, sent)];
  await leaveRetention(service, gone);
  await service.db.query('update mails set recipient = $2 where mail_id = $1', [erased, erasedAddress]);
  const mails = [gone, kept, erased, newId(sent)];
  const written = await recordEngagement(
    service.db,
    mails.map((mail_id) => opened(mail_id)),
  );
  assert.equal(
    written.reduce((sum, { count }) => sum + count, 0),
    1,
  );
  assert.deepEqual(await countsOf(kept), { opens: 1, clicks: 0 });
});

interface Rows {
  event: string;
  is_machine: boolean;
  rows: number;
  visits: number;
}
async function rowsOf(mail_id: string): Promise<Rows[]> {
  return await service.db.query<Rows>(
    `select event, reason is not null as is_machine, count(*) as rows, sum(visits)::bigint as visits
     from events where mail_id = $1 and event in ('opened', 'clicked') group by 1, 2 order by 1, 2`,
    [mail_id],
  );
}
const many = (count: number, mail_id: string, more: Partial<Engagement> = {}): Engagement[] =>
  Array.from({ length: count }, () => opened(mail_id, { event_id: newId(hour), at: hour, ...more }));
const hour = new Date('2026-11-15T13:20:00Z');
const nextHour = new Date('2026-11-15T14:00:00Z');

test('a flood of visits to one mail makes at most 100 rows an hour and kind, and every visit counts', async () => {
  const [flooded, other] = [await mailWith(3, sent), await mailWith(3, sent)];
  await recordEngagement(service.db, [...many(1_000, flooded), opened(other)]);
  await recordEngagement(service.db, many(700, flooded));
  await recordEngagement(service.db, many(1, flooded, { event: 'clicked', url: 'https://a.test/' }));
  await recordEngagement(service.db, many(300, flooded, { event: 'clicked', url: 'https://a.test/' }));
  assert.deepEqual(await countsOf(flooded), { opens: 1_700, clicks: 301 });
  assert.deepEqual(await countsOf(other), { opens: 1, clicks: 0 });
  const found = await rowsOf(flooded);
  assert.deepEqual(
    found.map(({ event, visits }) => [event, visits]),
    [
      ['clicked', 301],
      ['opened', 1_700],
    ],
  );
  for (const { rows } of found) assert.ok(rows > 50 && rows <= 100, String(rows));
  const later = { event_id: newId(nextHour), at: nextHour };
  await recordEngagement(service.db, [opened(flooded, later)]);
  assert.equal((await rowsOf(flooded))[1]?.rows, (found[1]?.rows ?? 0) + 1);
});

test('people and machines of a flood are counted apart, within the same 100 rows', async () => {
  for (const first of [false, true]) {
    const second = !first;
    const mail_id = await mailWith(3, sent);
    await recordEngagement(service.db, many(150, mail_id, { is_machine: first }));
    const mixed = [...many(40, mail_id, { is_machine: first }), ...many(60, mail_id, { is_machine: second })];
    await recordEngagement(service.db, mixed);
    await recordEngagement(
      service.db,
      mixed.map((visit) => ({ ...visit, event_id: newId(hour) })),
    );
    const found = await rowsOf(mail_id);
    const people = first ? 120 : 230;
    assert.deepEqual(
      found.map(({ is_machine, visits }) => [is_machine, visits]),
      [
        [false, people],
        [true, 350 - people],
      ],
    );
    assert.ok(found.reduce((sum, { rows }) => sum + rows, 0) <= 100);
    assert.deepEqual(await countsOf(mail_id), { opens: people, clicks: 0 });
  }
});

test('writers that come at the same moment keep to the bound together', async () => {
  const mail_id = await mailWith(3, sent);
  const batches = Array.from({ length: 8 }, () => many(60, mail_id));
  await Promise.all(batches.map(async (batch) => await recordEngagement(service.db, batch)));
  const [found] = await rowsOf(mail_id);
  assert.equal(found?.visits, 480);
  assert.ok(found.rows <= 100, String(found.rows));
  assert.deepEqual(await countsOf(mail_id), { opens: 480, clicks: 0 });
});

test('a batch of a flood that is written twice counts once', async () => {
  const mail_id = await mailWith(3, sent);
  const [first, second] = [many(400, mail_id), many(50, mail_id)];
  for (const batch of [first, first, second, second]) await recordEngagement(service.db, batch);
  assert.deepEqual(await countsOf(mail_id), { opens: 450, clicks: 0 });
  assert.equal((await rowsOf(mail_id))[0]?.visits, 450);
});

test('a batch that is written again after others have filled the hour counts once', async () => {
  const mail_id = await mailWith(3, sent);
  const [first, second] = [many(60, mail_id), many(60, mail_id)];
  for (const batch of [first, second, first]) await recordEngagement(service.db, batch);
  assert.deepEqual(await countsOf(mail_id), { opens: 120, clicks: 0 });
  assert.equal((await rowsOf(mail_id))[0]?.visits, 120);
});
