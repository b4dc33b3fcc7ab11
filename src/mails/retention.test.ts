import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { retentionJob, shortRetentionJob } from './retention.ts';

let service: TestService;
let usual: Tenant;
let brief: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  usual = await service.tenant();
  brief = await service.tenant();
  await service.db.query('update instances set retention_months = 1 where id = $1', [brief.instance.id]);
  for (const back of [2, 3, 4, 5, 6]) await makeMonth(back);
});
after(async () => await service.stop());

const tables = ['messages', 'message_attachments', 'mails', 'mail_tags', 'events', 'mail_subjects'];
const nameOf = (back: number): string => {
  const date = new Date();
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1));
  return month.toISOString().slice(0, 7).replace('-', '_');
};
/** The middle of the month that was so many months ago. */
const during = (back: number): Date => {
  const date = new Date();
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 15));
};

async function makeMonth(back: number): Promise<void> {
  const [from, until] = [nameOf(back), nameOf(back - 1)].map((name) => `${name.replace('_', '-')}-01Z`);
  for (const table of tables) {
    await service.db.query(
      `create table if not exists ${table}_${nameOf(back)} partition of ${table}
       for values from (uuid_at('${from}')) to (uuid_at('${until}'))`,
    );
  }
}

let made = 0;
/** A mail with a message, an attachment, a tag, an event and its subject. */
async function addMail(owner: Tenant, at: Date, { waits = false } = {}): Promise<string> {
  const suffix = (made += 1).toString(16).padStart(12, '0');
  const [row] = await service.db.query<{ mail_id: string; msg_id: string }>(
    `select (left(uuid_at($1)::text, 14) || '7000-8000-' || $2)::uuid as mail_id,
       (left(uuid_at($1)::text, 14) || '7000-9000-' || $2)::uuid as msg_id`,
    [at, suffix],
  );
  const { mail_id, msg_id } = row ?? { mail_id: '', msg_id: '' };
  const values = [mail_id, msg_id, owner.instance.id];
  const statements = [
    `insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes,
       content_kind, envelope, html) values ($2, $3, 1, 'http', 'transactional', false, 1, 1, 'parts', '{}', $1::text::bytea)`,
    `insert into message_attachments (msg_id, position, type, filename, content)
     values ($2, 0, 'text/plain', $1::text, ($3::bigint)::text::bytea)`,
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, received_at, tags) values ($1, $2, $3, ${waits ? 5 : 3}, 'a@example.com', 'to', 1, 'b@example.com', 'x', false,
       uuid_time($1), '{"order": "1001"}')`,
    `insert into mail_tags (instance_id, tag, mail_id) select instance_id, 'order:1001', mail_id from mails
     where mail_id = $1 and msg_id = $2 and instance_id = $3`,
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event)
     values ($1, $1, $2, $3, uuid_time($1), 'deferred')`,
    `insert into mail_subjects (mail_id, instance_id, subject) values ($1, $3, $2::uuid::text)`,
    ...(waits
      ? [
          `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
           values ($1, $2, $3, 'example.com', 0, now() + interval '1 day')`,
        ]
      : []),
  ];
  for (const statement of statements) await service.db.query(statement, values);
  return mail_id;
}

async function run(): Promise<string> {
  const context = { db: service.db, now: new Date(), isStopping: () => false };
  return `${await retentionJob.run(context)}, ${await shortRetentionJob.run(context)}`;
}

const has = async (table: string): Promise<boolean> => {
  const [row] = await service.db.query<{ name: string | null }>('select to_regclass($1)::text as name', [
    table,
  ]);
  return row?.name !== null;
};
const left = async (owner: Tenant): Promise<number[]> =>
  await Promise.all(
    ['mails', 'events', 'messages', 'mail_tags', 'mail_subjects'].map(async (table) => {
      const [row] = await service.db.query<{ count: number }>(
        `select count(*) from ${table} where instance_id = $1`,
        [owner.instance.id],
      );
      return row?.count ?? -1;
    }),
  );

test('months that are over for everybody are dropped whole, but not while a mail of them waits', async () => {
  await addMail(usual, during(6));
  const waiting = await addMail(usual, during(5), { waits: true });
  await addMail(usual, during(5));
  // One at a time, so that a mistake of any kind does not cost all there is.
  assert.equal(await run(), `${nameOf(6)} dropped, 0 mails deleted`);
  assert.equal(await has(`mails_${nameOf(4)}`), true);
  assert.equal(await run(), `${nameOf(4)} dropped, 0 mails deleted`);
  assert.equal(await run(), 'no month dropped, 0 mails deleted');
  for (const table of tables) {
    assert.equal(await has(`${table}_${nameOf(6)}`), false);
    assert.equal(await has(`${table}_${nameOf(5)}`), true);
    assert.equal(await has(`${table}_${nameOf(3)}`), true, 'the month in which the retention begins is kept');
  }
  await service.db.query('delete from queue where mail_id = $1', [waiting]);
  assert.match(await run(), new RegExp(`^${nameOf(5)} dropped`));
});

test('an instance that keeps mail for a shorter time loses it mail by mail, with all that belongs to it', async () => {
  await addMail(brief, during(2));
  await addMail(brief, during(2), { waits: true });
  await addMail(brief, new Date());
  await addMail(usual, during(2));
  const beforeRun = await left(usual);
  assert.equal(await run(), 'no month dropped, 1 mails deleted');
  assert.deepEqual(await left(brief), [2, 2, 2, 2, 2]);
  assert.deepEqual(await left(usual), beforeRun);
  const [attachments] = await service.db.query<{ count: number }>(
    'select count(*) from message_attachments a where not exists (select from messages m where m.msg_id = a.msg_id)',
  );
  assert.equal(attachments?.count, 0);
});

test('a message is kept as long as one of its mails waits', async () => {
  const waiting = await addMail(brief, during(2), { waits: true });
  await service.db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, received_at)
     select overlay(mail_id::text placing '8001' from 20)::uuid, msg_id, instance_id, 3, 'c@example.com', 'cc', sender_id,
       sender_email, subject, test_mode, received_at from mails where mail_id = $1`,
    [waiting],
  );
  assert.equal(await run(), 'no month dropped, 1 mails deleted');
  const kept = await service.db.query(
    'select m.mail_id from mails m join messages using (msg_id) join message_attachments using (msg_id) where m.mail_id = $1',
    [waiting],
  );
  assert.deepEqual(kept, [{ mail_id: waiting }]);
});

test('an instance whose mail cannot be deleted does not keep the others from theirs', async (t) => {
  const failing = await service.tenant();
  const later = await service.tenant();
  await service.db.query('update instances set retention_months = 1 where id = any ($1::bigint[])', [
    [failing.instance.id, later.instance.id],
  ]);
  await addMail(failing, during(2));
  await addMail(later, during(2));
  await service.db.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  );
  t.after(async () => await service.db.query('drop function refuse cascade'));
  await service.db.query(
    `create trigger refuse before delete on mails for each row when (old.instance_id = ${failing.instance.id})
     execute function refuse()`,
  );
  await assert.rejects(run(), /refused/);
  assert.deepEqual([(await left(failing))[0], (await left(later))[0]], [1, 0]);
  await service.db.query('drop trigger refuse on mails');
  assert.equal(await run(), 'no month dropped, 1 mails deleted');
});

test('leaves mail that is being changed to the next run: neither side waits', async (t) => {
  const old = await addMail(brief, during(2));
  const busy = await addMail(brief, during(2));
  const client = new Client(service.database.connection);
  await client.connect();
  t.after(async () => await client.end());
  await client.query('begin');
  await client.query('update mails set opens = opens + 1 where mail_id = $1', [busy]);
  assert.equal(await run(), 'no month dropped, 1 mails deleted');
  // In the way of a deadlock, had the job waited for the other mail.
  await client.query('update mails set opens = opens + 1 where mail_id = $1', [old]);
  await client.query('commit');
  assert.equal(await run(), 'no month dropped, 1 mails deleted');
});

test('a mail past the retention of its instance is found by its identifier, and is not in lists', async () => {
  const old = await addMail(brief, during(2));
  const answer = await brief.api.get(`/v1/mails/${old}`);
  assert.deepEqual([answer.status, answer.json.code], [404, 'mail_outside_retention']);
  const { data, pagination } = (await brief.api.get('/v1/mails')).json;
  assert.deepEqual([data.length, pagination.total_items], [1, 1]);
  await service.db.query('update mails set opens = 1 where mail_id = $1', [old]);
  for (const event of ['opened', 'bounced']) {
    await service.db.query(
      `insert into events (event_id, mail_id, msg_id, instance_id, at, event, data)
       select uuid_at(now() - interval '1 hour' * length($2)), mail_id, msg_id, instance_id, now(), $2, '{}'
       from mails where mail_id = $1`,
      [old, event],
    );
  }
  for (const list of ['opens?', 'opens?group_by=mail_id', 'opens?group_by=msg_id', 'bounced?']) {
    const events = (await brief.api.get(`/v1/activities/${list}`)).json;
    assert.deepEqual([events.data.length, events.pagination.total_items ?? 0], [0, 0], list);
  }
  const theirs = await addMail(usual, during(2));
  assert.equal((await usual.api.get(`/v1/mails/${theirs}`)).status, 200);
  await service.db.query('update instances set retention_months = 12 where id = $1', [brief.instance.id]);
});
