import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { batchRows } from '../base/jobs/in-batches.ts';
import { retentionJob } from '../mails/retention.ts';
import { idAt, writeMail, writeMails } from './activity-data.fixture.ts';
import { indexSubjectsJob } from './index-subjects.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  // More than are read one by one, so that searches use the index.
  await writeMails(service, tenant, { from: minutesAgo(600), count: 1_000, subject: 'Weekly report' });
});
after(async () => await service.stop());

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

const run = async (isStopping = () => false): Promise<string> =>
  await indexSubjectsJob.run({ db: service.db, now: new Date(), isStopping });

async function found(subject: string, more = ''): Promise<string[]> {
  const path = `/v1/mails?subject=${encodeURIComponent(subject)}${more}`;
  const { status, json, text } = await tenant.api.get(path);
  assert.equal(status, 200, text);
  return (json as { data: { mail_id: string }[] }).data.map(({ mail_id }) => mail_id);
}

const indexed = async (part: string): Promise<string[]> => {
  const rows = await service.db.query<{ mail_id: string }>(
    `select mail_id from mail_subjects where subject like $1 order by mail_id desc`,
    [`%${part}%`],
  );
  return rows.map(({ mail_id }) => mail_id);
};

test('a mail is found by its subject before and after it is indexed, and nothing is left for searches to sort out', async () => {
  const { mail_id } = await writeMail(service, tenant, { at: new Date(), subject: 'Ñandú just now' });
  assert.deepEqual(await found('ÑANDÚ just'), [mail_id]);
  assert.deepEqual(await indexed('ñandú'), []);
  await run();
  assert.deepEqual(await found('ÑANDÚ just'), [mail_id]);
  assert.deepEqual(await indexed('ñandú'), [mail_id]);
  assert.equal(await run(), '0 subjects');
  const [row] = await service.db.query<{ pages: number }>(
    `select sum(gin_clean_pending_list(inhrelid::regclass)) as pages from pg_inherits
     where inhparent = 'mail_subjects_parts'::regclass`,
  );
  assert.equal(Number(row?.pages), 0);
});

test('mail to a blocked person or of another instance is not found by its subject', async () => {
  const subject = 'Seldom seen';
  const blocked = 'blocked@example.com';
  const other = await service.tenant();
  await writeMail(service, other, { at: minutesAgo(4), subject });
  await writeMail(service, tenant, { at: minutesAgo(3), subject, recipient: blocked });
  const { mail_id } = await writeMail(service, tenant, { at: minutesAgo(2), subject });
  const search = async (): Promise<unknown> => {
    const { json } = await tenant.api.get(`/v1/mails?subject=${encodeURIComponent(subject)}`);
    return [json.data.map((mail: { mail_id: string }) => mail.mail_id), json.pagination.total_items];
  };
  const contacts = [{ contact_type: 'email_address', contact: blocked }];
  const asked = await tenant.api.post('/v1/rights-requests', { kind: 'blocking', contacts });
  await tenant.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {});
  assert.deepEqual(await search(), [[mail_id], 1], 'pending');
  await run();
  assert.deepEqual(await search(), [[mail_id], 1], 'indexed');
});

test('a rare subject is found letter by letter, page by page and with other filters, indexed or not', async () => {
  const at = (index: number): Date => minutesAgo(60 - index);
  const subjects = ['50% off_x', '50 percent', '50% OFF_X again', '500 off-x', '50% off_x, the last'];
  const written: string[] = [];
  for (const [index, subject] of subjects.entries()) {
    if (index === 3) await run();
    const status = index === 2 ? 6 : 3;
    written.push((await writeMail(service, tenant, { at: at(index), subject, status })).mail_id);
  }
  const [first, , third, , last] = written;
  assert.deepEqual(await found('50% off_x'), [last, third, first]);
  assert.deepEqual(await found('50% off_x', '&status=6'), [third]);
  assert.deepEqual(await found('50% off_x', '&page=2&page_size=2'), [first]);
  assert.deepEqual(await found('50% off_y'), []);
  const other = await service.tenant();
  const theirs = await other.api.get(`/v1/mails?subject=${encodeURIComponent('50% off')}`);
  assert.deepEqual(theirs.json.data, []);
});

test('mails that are committed long after later ones were indexed are found, whatever their order', async (t) => {
  await run();
  const clients = await Promise.all(
    [30, 5, 0.1].map(async (minutes) => {
      const client = new Client(service.database.connection);
      await client.connect();
      t.after(async () => await client.end());
      await client.query('begin');
      const mail_id = idAt(minutesAgo(minutes));
      await client.query(
        `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
           subject, test_mode, received_at)
         values ($1, $1, $2, 2, 'a@example.com', 'to', 1, 'b@example.com', 'A late parcel', false, uuid_time($1))`,
        [mail_id, tenant.instance.id],
      );
      return { client, mail_id };
    }),
  );
  await writeMail(service, tenant, { at: new Date(), subject: 'After the late ones' });
  assert.equal(await run(), '1 subjects');
  const committed: string[] = [];
  for (const { client, mail_id } of clients.toReversed()) {
    await client.query('commit');
    committed.push(mail_id);
    assert.deepEqual((await found('late parcel')).toSorted(), committed.toSorted(), 'before it is indexed');
    assert.equal(await run(), '1 subjects');
    assert.deepEqual((await found('late parcel')).toSorted(), committed.toSorted());
    assert.deepEqual((await indexed('late parcel')).toSorted(), committed.toSorted());
  }
});

test('a run that ends between two batches, and several at once, index every mail once', async () => {
  const count = batchRows * 2;
  for (let from = 0; from < count; from += 500) {
    const at = new Date(minutesAgo(120).getTime() + from * 100);
    await writeMails(service, tenant, { from: at, count: 500, subject: 'Many of them' });
  }
  let looks = 0;
  await run(() => (looks += 1) > 1);
  const first = (await indexed('many of them')).length;
  assert.ok(first >= batchRows && first < batchRows + 500, `${first} in a batch`);
  await Promise.all([run(), run(), run()]);
  const ids = await indexed('many of them');
  assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
});

test('an indexer of the version before does its part beside this one, and what it finds is listed once', async () => {
  const { mail_id } = await writeMail(service, tenant, { at: minutesAgo(2), subject: 'Seen by both' });
  await service.db.query(
    `insert into mail_subjects (mail_id, instance_id, subject) values ($1, $2, 'seen by both')`,
    [mail_id, tenant.instance.id],
  );
  assert.deepEqual(await found('seen by both'), [mail_id]);
  await run();
  assert.deepEqual(await found('seen by both'), [mail_id]);
  const [row] = await service.db.query<{ is_past: boolean }>(
    'select indexed_to >= $1 as is_past from mail_subjects_progress',
    [mail_id],
  );
  assert.equal(row?.is_past, true, 'so that the other one does not index it again');
});

test('mails that retention took before they were indexed are left out', async () => {
  const month = 'from (uuid_at($$2024-01-01Z$$)) to (uuid_at($$2024-02-01Z$$))';
  for (const table of ['messages', 'message_attachments', 'mails', 'events', 'mail_subjects']) {
    await service.db.query(`create table ${table}_2024_01 partition of ${table} for values ${month}`);
  }
  await writeMail(service, tenant, { at: new Date('2024-01-15Z'), subject: 'Long gone' });
  await retentionJob.run({ db: service.db, now: new Date(), isStopping: () => false });
  await writeMail(service, tenant, { at: new Date(), subject: 'Not gone' });
  await run();
  assert.deepEqual(await indexed('gone'), await found('not gone'));
  assert.equal(await run(), '0 subjects');
});
