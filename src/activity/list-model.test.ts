import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { createRandom } from '../../test/acceptance/hostile-input.fixture.ts';
import { writeCategory, writeEvent, writeMail, type WrittenMail } from './activity-data.fixture.ts';
import { foldStats } from './fold-stats.ts';
import { indexSubjects } from './index-subjects.ts';

/** `MODEL_SEED=… npm test -- list-model` repeats a run. */
const seed = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 32);
const source = createRandom(seed);
const random = (): number => source.next();
const pick = <T>(items: readonly T[]): T => source.pick(items);
const chance = (share: number): boolean => random() < share;

const now = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + 15 * 3_600_000);
const timezone = 'America/Santiago';
const days = 20;

interface Engagement {
  event_id: string;
  mail: WrittenMail;
  at: Date;
  is_machine: boolean;
  visits: number;
}

let service: TestService;
let tenant: Tenant;
let mails: WrittenMail[] = [];
const categories: [slug: string, id: number][] = [];
const opens: Engagement[] = [];

before(async () => {
  service = await startTestService({ roles: 'api', clock: createMovableClock(now) });
  tenant = await service.tenant({ instance: { timezone } });
  await service.db.query('update instances set requests_per_second = 0');
  const other = await service.tenant();
  for (const slug of ['orders', 'spring-news'])
    categories.push([slug, await writeCategory(service, tenant, slug)]);
  // One half of what was noted is added up and indexed, the other is not.
  for (let count = 0; count < 160; count += 1) {
    if (count === 80) await foldStats(service.db);
    if (count === 80) await indexSubjects(service.db);
    await writeOne(chance(0.1) ? other : tenant);
  }
  for (const mail of mails) if (chance(0.4)) await engage(mail);
  mails = mails.toSorted((a, b) => (a.mail_id < b.mail_id ? 1 : -1));
});
after(async () => await service.stop());

const subjects = ['Your order %', 'ÑANDÚ_news', 'a_b', 'Weekly report', 'order', 'x'];
const recipients = [
  'ana@example.com',
  'Ana@Example.com',
  'anabel@example.com',
  'ñandú@example.com',
  'a_a@example.com',
];

async function writeOne(owner: Tenant): Promise<void> {
  const same = chance(0.3) ? mails.at(-1) : undefined;
  const at = same?.received_at ?? new Date(now.getTime() - Math.floor(random() * days * 86_400_000));
  const mail = await writeMail(service, owner, {
    at,
    msg_id: owner === tenant ? same?.msg_id : undefined,
    recipient: pick(recipients),
    subject: same?.subject ?? pick(subjects),
    sender_id: pick([1, 1, 2, 3]),
    status: pick([2, 3, 3, 3, 4, 5, 6, 7]),
    custom_msg_id: pick([null, 'a', 'A', 'b%']),
    custom_group_code: pick([null, 'winter', 'spring', 'fall']),
    category_id: owner === tenant ? pick([null, ...categories.map(([, id]) => id)]) : null,
    test_mode: same?.test_mode ?? chance(0.2),
    tags: same
      ? same.tags
      : pick([null, null, { plan: 'a' }, { plan: 'b', 'x.y': 'a:b ñ' }, { plan: 'A', order: '' }]),
  });
  if (owner === tenant) mails.push(mail);
}

async function engage(mail: WrittenMail): Promise<void> {
  const count = pick([1, 1, 2, 3]);
  for (let each = 0; each < count; each += 1) {
    const left = now.getTime() - mail.received_at.getTime();
    const at = new Date(mail.received_at.getTime() + Math.floor(random() * left));
    const is_machine = chance(0.3);
    const visits = pick([1, 1, 1, 250]);
    const given = { mail_id: mail.mail_id, at, event: 'opened', is_machine, visits } as const;
    opens.push({ event_id: await writeEvent(service, tenant, given), mail, at, is_machine, visits });
    if (!is_machine) mail.opens += visits;
  }
}

const localDate = (moment: Date, zone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(moment);

type Query = Record<string, string>;

/** Tags and statuses that are asked for are separated by commas here, and repeated in the address. */
function addressOf(query: Query): string {
  const { tag, statuses, ...others } = query;
  const repeated = (name: string, values: string | undefined) =>
    (values?.split(',') ?? []).map((each): [string, string] => [name, each]);
  return new URLSearchParams([
    ...Object.entries(others),
    ...repeated('tag', tag),
    ...repeated('statuses', statuses),
  ]).toString();
}

function randomQuery(): Query {
  const mail = pick(mails);
  const day = (back: number): string => localDate(new Date(now.getTime() - back * 86_400_000), timezone);
  const until = Math.floor(random() * days);
  const filters: [number, Query][] = [
    [0.3, { start_date: day(until + Math.floor(random() * days)), end_date: day(until) }],
    [0.2, { tz: pick(['Asia/Kathmandu', 'UTC', 'Nowhere/Land']) }],
    [0.08, { msg_id: pick([mail.msg_id, mail.msg_id.toUpperCase(), 'nonsense']) }],
    [0.05, { mail_id: pick([mail.mail_id, mail.msg_id]) }],
    [0.25, { sender_id: pick(['1', '2', '3', '4']) }],
    [0.2, { recipient: pick(['ANA@example.com', 'Ñandú@example.com', 'ana', 'a_a@example.com', 'an%']) }],
    [0.1, { custom_msg_id: pick(['a', 'b%', 'c']) }],
    [0.2, { custom_group_code: pick(['spring', 'winter', 'none']) }],
    [0.2, { category: pick(['orders', 'Spring  News', 'none', '!']) }],
    [0.2, { test_mode: pick(['true', 'false']) }],
    [
      0.3,
      {
        tag: pick([
          'plan:a',
          'plan:A',
          'plan:b,x.y:a:b ñ',
          'plan:a,plan:b',
          'order:',
          'plan:',
          'plan:a,plan:a',
        ]),
      },
    ],
    // The sign for Kelvin is a k in lower case, also where the subject is ASCII.
    [0.2, { subject: pick(['ORDER', 'ñand', '_', '%', 'ee', 'zz', 'x', 'Ndú_N', '\u{212a}LY']) }],
  ];
  return Object.assign({}, ...filters.filter(([share]) => chance(share)).map(([, query]) => query)) as Query;
}

/** Whether the mail is found, said as plainly as the specification says it. */
function matches(mail: WrittenMail, query: Query): boolean {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const { recipient, subject } = query;
  return (
    (query['msg_id'] === undefined || same(mail.msg_id, query['msg_id'])) &&
    (query['mail_id'] === undefined || same(mail.mail_id, query['mail_id'])) &&
    (query['sender_id'] === undefined || mail.sender_id === Number(query['sender_id'])) &&
    (recipient === undefined ||
      (query['recipient_operator'] === 'starts_with'
        ? mail.recipient.toLowerCase().startsWith(recipient.toLowerCase())
        : same(mail.recipient, recipient))) &&
    (query['custom_msg_id'] === undefined || mail.custom_msg_id === query['custom_msg_id']) &&
    (query['custom_group_code'] === undefined || mail.custom_group_code === query['custom_group_code']) &&
    (query['category'] === undefined || mail.category_id === idOf(query['category'])) &&
    (query['tag'] ?? '').split(',').every((tag) => tag === '' || tagsOf(mail).includes(tag)) &&
    (query['test_mode'] === undefined || String(mail.test_mode) === query['test_mode']) &&
    (subject === undefined || mail.subject.toLowerCase().includes(subject.toLowerCase())) &&
    (query['statuses'] === undefined || query['statuses'].split(',').includes(String(mail.status))) &&
    (query['status'] === undefined || mail.status === Number(query['status'])) &&
    (query['opened'] !== 'opened' || mail.opens > 0) &&
    (query['opened'] !== 'unopened' || (mail.status === 3 && mail.opens === 0))
  );
}

const tagsOf = ({ tags }: WrittenMail): string[] =>
  Object.entries(tags ?? {}).map(([name, value]) => `${name}:${value}`);

/** Of a category as it was given or as its slug; 0 for none that exists. */
const idOf = (category: string): number =>
  categories.find(([slug]) => slug === category.toLowerCase().replaceAll(/ +/g, '-'))?.[1] ?? 0;

function inRange(moment: Date, query: Query): boolean {
  const zone = query['tz'] === undefined || query['tz'].startsWith('Nowhere') ? timezone : query['tz'];
  const date = localDate(moment, zone);
  return date >= (query['start_date'] ?? '') && date <= (query['end_date'] ?? '9999');
}

interface Page {
  data: Record<string, unknown>[];
  pagination: { has_more: boolean; total_items: number | null };
}

async function read(path: string, query: Query): Promise<Page> {
  const { status, json, text } = await tenant.api.get(`${path}?${addressOf(query)}`);
  assert.equal(status, 200, text);
  return json as Page;
}

/** All pages, which follow each other without a gap or a repetition. */
async function readAll(path: string, query: Query): Promise<{ rows: Page['data']; totals: unknown[] }> {
  const page_size = pick(['7', '20', '100']);
  const rows: Page['data'] = [];
  const totals: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await read(path, { ...query, page: String(page), page_size });
    rows.push(...data);
    totals.push(pagination.total_items);
    if (!pagination.has_more) return { rows, totals };
    assert.equal(data.length, Number(page_size));
  }
}

test(`lists of mails are what a plain filter finds (seed ${seed})`, async () => {
  for (let round = 0; round < 70; round += 1) {
    const query: Query = {
      ...randomQuery(),
      ...(chance(0.3) ? { status: pick(['1', '2', '3', '4', '5', '6', '7']) } : {}),
      ...(chance(0.3) ? { statuses: pick(['5,6', '3,4,6', '2']) } : {}),
      ...(chance(0.3) ? { opened: pick(['all', 'opened', 'unopened']) } : {}),
      ...(chance(0.3) ? { recipient_operator: pick(['eq', 'starts_with']) } : {}),
    };
    const expected = mails.filter((mail) => inRange(mail.received_at, query) && matches(mail, query));
    const { rows, totals } = await readAll('/v1/activities/sent', query);
    assert.deepEqual(
      rows.map(({ mail_id }) => mail_id),
      expected.map(({ mail_id }) => mail_id),
      JSON.stringify(query),
    );
    assert.deepEqual(new Set(totals), new Set([expected.length]), JSON.stringify(query));
  }
});

test(`lists of opens are what a plain filter and a plain count find (seed ${seed})`, async () => {
  const newest = opens.toSorted((a, b) => (a.event_id < b.event_id ? 1 : -1));
  for (let round = 0; round < 25; round += 1) {
    const query: Query = {
      ...randomQuery(),
      ...(chance(0.3) ? { recipient_operator: 'starts_with' } : {}),
      ...(chance(0.5) ? { include_machine: pick(['true', 'false']) } : {}),
    };
    const found = newest.filter(
      ({ at, mail, is_machine }) =>
        inRange(at, query) && matches(mail, query) && (!is_machine || query['include_machine'] === 'true'),
    );
    const each = await readAll('/v1/activities/opens', query);
    assert.deepEqual(
      each.rows.map(({ opened_at, mail_id, open_count }) => [opened_at, mail_id, open_count]),
      found.map(({ at, mail, visits }) => [at.toISOString(), mail.mail_id, visits]),
      JSON.stringify(query),
    );
    for (const key of ['mail_id', 'msg_id'] as const) {
      const { rows } = await readAll('/v1/activities/opens', { ...query, group_by: key });
      assert.deepEqual(
        rows.map((row) => [row[key], row['open_count']]),
        groups(found, key),
        `${key} ${JSON.stringify(query)}`,
      );
    }
  }
});

/** How often they were opened, by mail or message, newest of them first. */
function groups(found: Engagement[], key: 'mail_id' | 'msg_id'): [string, number][] {
  const counts = new Map<string, number>();
  for (const { mail, visits } of found) counts.set(mail[key], (counts.get(mail[key]) ?? 0) + visits);
  return [...counts].toSorted(([a], [b]) => (a < b ? 1 : -1));
}
