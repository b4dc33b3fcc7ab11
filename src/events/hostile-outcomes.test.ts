import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { IdSequence, newId } from '../base/ids.ts';
import { awkwardText, seededRandom } from '../protocol/mime/seeded-random.fixture.ts';
import { ReplyReader } from '../protocol/smtp-client/reply-reader.ts';
import { replyOutcome } from '../protocol/smtp-client/reply.ts';
import type { AttemptDetails, Outcome } from './outcome.ts';
import { recordOutcomes } from './record-outcomes.ts';

/** `OUTCOME_SEED=… node --test src/events/hostile-outcomes.test.ts` repeats a run. */
const seed = Number(process.env['OUTCOME_SEED'] ?? Date.now() % 2 ** 31);
const random = seededRandom(seed);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0');
});
after(async () => await service.stop());

const ids = new IdSequence();

interface Claimed {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  lease: string;
}

/** Mails that are under way, each to a recipient of its own. */
async function claimMails(count: number, instance_id = tenant.instance.id): Promise<Claimed[]> {
  const lease = randomUUID();
  const rows = await service.db.query<{ mail_id: string }>(
    `with given as (select mail_id, number from unnest($1::uuid[]) with ordinality as g (mail_id, number)), mail as (
       insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
         subject, test_mode, received_at)
       select mail_id, mail_id, $2, 2, mail_id || '@example.com', 'to', 1, 'b@example.com', 'x', false, now()
       from given
     )
     insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, lease, attempts)
     select mail_id, mail_id, $2, 'example.com', 0, now() + interval '1 hour', $3, 1 from given returning mail_id`,
    [Array.from({ length: count }, () => newId(new Date())), instance_id, lease],
  );
  return rows.map(({ mail_id }) => ({ mail_id, msg_id: mail_id, instance_id, lease }));
}

const texts = ['', '\0', '\ud83d', '\udc00x', '{"a":"\\u0000"}', 'NULL', '"\\', '{},', '\\u0000', 'é\u0085'];
const text = (): string =>
  random() < 0.5 ? pick(texts) : `${awkwardText(random, 3_000)}${pick(['', 'x'.repeat(200_000)])}`;
const numbers = [Number.NaN, Infinity, -Infinity, 1e308, 2 ** 53, -1, 0.5, 250, 99_999];
const dates = [
  Number.NaN,
  8.64e15,
  -8.64e15,
  0,
  -1,
  Date.UTC(10_000, 0),
  Date.now() + 150 * 86_400_000,
  Date.now() - 90 * 86_400_000,
  Date.now(),
];
const anyDate = (): Date => new Date(pick(dates));

/** What a server could say, as the client reads it. */
function hostileReply(): Partial<AttemptDetails> {
  const bytes = Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)));
  const line = bytes.toString('latin1').replaceAll('\n', '\r');
  const said = Buffer.from(`${pick(['550', '250', '421'])} ${pick(['5.1.1 ', ''])}${line}\r\n`, 'latin1');
  const [reply] = new ReplyReader().read(said).replies;
  assert.ok(reply);
  const { code, enhanced_code, text: response } = replyOutcome(reply, 'rcpt');
  return { smtp_code: code, enhanced_code, response };
}

function hostileDetails(): AttemptDetails {
  const details: AttemptDetails = { attempt: pick([1, ...numbers]) };
  if (random() < 0.3) return { ...details, ...hostileReply() };
  for (const name of ['remote_host', 'remote_ip', 'local_ip', 'tls', 'response', 'detail'] as const) {
    if (random() < 0.4) details[name] = text();
  }
  if (random() < 0.4) details.enhanced_code = text();
  if (random() < 0.4) details.smtp_code = pick(numbers);
  if (random() < 0.4) details.duration_ms = pick(numbers);
  return details;
}

/** No reason of ours is such a text; the store bears it all the same. */
function hostileOutcome(claimed: Claimed): Outcome {
  const common = { ...claimed, at: anyDate(), details: hostileDetails() };
  const reason = text();
  const verdict = pick(['sent', 'deferred', 'postponed', 'bounced', 'dropped', 'held'] as const);
  if (verdict === 'sent') return { ...common, verdict };
  if (verdict === 'bounced')
    return { ...common, verdict, reason, type: pick(['hard', 'soft', 'block']) } as Outcome;
  if (verdict === 'deferred' || verdict === 'postponed') {
    return { ...common, verdict, reason, next_attempt_at: anyDate() } as Outcome;
  }
  return { ...common, verdict, reason } as Outcome;
}

const loggedOf = async (mail_id: string): Promise<{ event: string; at: string }[]> => {
  const { status, json, text: body } = await tenant.api.get(`/v1/mails/${mail_id}/logs?page_size=100`);
  assert.equal(status, 200, body);
  return (json as { data: { event: string; at: string }[] }).data;
};

test(`whatever an outcome holds, it is stored with its neighbours and can be read (seed ${seed})`, async () => {
  for (let round = 0; round < 25; round += 1) {
    const outcomes = (await claimMails(12)).map(hostileOutcome);
    const expected = outcomes.filter(({ verdict }) => verdict !== 'postponed');
    const recorded = await recordOutcomes(service.db, ids, outcomes);
    assert.deepEqual(recorded, new Set(expected));
    const { mail_id, verdict } = pick(expected);
    const [last] = (await loggedOf(mail_id)).slice(-1);
    assert.equal(last?.event, verdict);
    assert.ok(Math.abs(Date.parse(last?.at ?? '') - Date.now()) < 100 * 86_400_000, last?.at);
  }
  const bounced = await tenant.api.get('/v1/activities/bounced?page_size=100');
  assert.equal(bounced.status, 200, bounced.text);
  const [queue] = await service.db.query<{ lost: number }>(
    `select count(*) as lost from queue where lease is not null or not isfinite(due_at) or due_at > now() + interval '1 year'`,
  );
  assert.equal(queue?.lost, 0, 'what is tried again has a time when it is');
});

test('a hard bounce of a deleted instance does not restrict, and does not stop other outcomes from being stored', async () => {
  const claimed = [...(await claimMails(1, 999_999)), ...(await claimMails(1))];
  const outcomes = claimed.map((each): Outcome => {
    return {
      ...each,
      at: new Date(),
      details: { attempt: 1 },
      verdict: 'bounced',
      type: 'hard',
      reason: 'no_such_user',
    };
  });
  assert.equal((await recordOutcomes(service.db, ids, outcomes)).size, 2);
  const restricted = await service.db.query(
    'select mail_id from restrictions where mail_id = any ($1::uuid[])',
    [claimed.map(({ mail_id }) => mail_id)],
  );
  assert.deepEqual(restricted, [{ mail_id: claimed[1]?.mail_id }]);
});

test('a queue row whose mail_id holds no time can be ended', async () => {
  const [claimed] = await claimMails(1);
  assert.ok(claimed);
  const mail_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
  await service.db.query('update queue set mail_id = $1 where mail_id = $2', [mail_id, claimed.mail_id]);
  const outcome: Outcome = {
    ...claimed,
    mail_id,
    at: new Date(),
    details: { attempt: 1 },
    verdict: 'bounced',
    type: 'soft',
    reason: 'message_expired',
  };
  assert.deepEqual(await recordOutcomes(service.db, ids, [outcome]), new Set([outcome]));
});

test('a usual outcome is stored unchanged', async () => {
  const [claimed] = await claimMails(1);
  assert.ok(claimed);
  const at = new Date(Date.now() + 30_000);
  const details = {
    attempt: 3,
    smtp_code: 450,
    enhanced_code: '4.2.0',
    response: '450 4.2.0 wait',
    duration_ms: 12,
  };
  const next_attempt_at = new Date(Date.now() + 60_000);
  await recordOutcomes(service.db, ids, [
    { ...claimed, at, details, verdict: 'deferred', reason: 'greylisted', next_attempt_at },
  ]);
  const rows = await service.db.query(
    `select e.at, e.reason, e.data, uuid_time(e.event_id) as id_time, q.due_at, q.last_error
     from events e join queue q using (mail_id) where e.mail_id = $1`,
    [claimed.mail_id],
  );
  assert.deepEqual(rows, [
    {
      at,
      reason: 'greylisted',
      data: { ...details, next_attempt_at: next_attempt_at.toISOString() },
      id_time: at,
      due_at: next_attempt_at,
      last_error: 'greylisted',
    },
  ]);
});

test('an outcome of a node whose clock is behind is in the log of its mail, after the reception', async () => {
  const [claimed] = await claimMails(1);
  assert.ok(claimed);
  const at = new Date(Date.now() - 5_000);
  await recordOutcomes(service.db, ids, [{ ...claimed, at, details: { attempt: 1 }, verdict: 'sent' }]);
  assert.deepEqual(
    (await loggedOf(claimed.mail_id)).map(({ event }) => event),
    ['received', 'sent'],
  );
});

test('an outcome of a node whose clock is months off is stored with the time of the database', async () => {
  const claimed = await claimMails(2);
  const outcomes = claimed.map((each, index): Outcome => ({
    ...each,
    at: new Date(Date.now() + (index === 0 ? 150 : -150) * 86_400_000),
    details: { attempt: 1 },
    verdict: 'sent',
  }));
  await recordOutcomes(service.db, ids, outcomes);
  const rows = await service.db.query<{ is_now: boolean }>(
    `select e.at > now() - interval '1 minute' and e.at <= now() and abs(extract(epoch from uuid_time(e.event_id) - e.at)) < 1
       and m.sent_at = e.at as is_now
     from events e join mails m using (mail_id) where e.mail_id = any ($1::uuid[])`,
    [claimed.map(({ mail_id }) => mail_id)],
  );
  assert.deepEqual(rows, [{ is_now: true }, { is_now: true }]);
});
