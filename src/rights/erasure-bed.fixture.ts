import assert from 'node:assert/strict';
import type { Tenant, TestService } from '../../test/support/test-service.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';
import { erasureLimits } from './run-erasures.ts';

export const rightsPath = '/v1/rights-requests';
export const person = 'ana@sandbox.test';

/** One batch of each instance after the other. */
export const smallSlices = { ...erasureLimits, slice_ms: 0, concurrency: 1 };

/** A request of an erasure, decided. */
export async function startErasure({ api }: Tenant, contact = person): Promise<number> {
  const contacts = [{ contact, contact_type: 'email_address' }];
  const asked = await api.post(rightsPath, { kind: 'erasure', contacts });
  assert.equal(asked.status, 201, asked.text);
  const started = await api.post(`${rightsPath}/${asked.json.id}/fulfil`, {});
  assert.equal(started.status, 200, started.text);
  return asked.json.id;
}

const copies = `
  with source as (select * from mails where mail_id = $1),
  ids as (
    select (left(uuid_at(now())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid as id
    from generate_series(1, $2)
  ), written as (
    insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes, content_kind,
      envelope, html)
    select ids.id, g.instance_id, g.sender_id, g.source, g.stream, g.test_mode, 1, g.size_bytes, g.content_kind, g.envelope, g.html
    from ids, source join messages g on g.msg_id = source.msg_id
  )
  insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
    test_mode, received_at, sent_at)
  select ids.id, ids.id, source.instance_id, 3, source.recipient, 'to', source.sender_id, source.sender_email, 'Hi', false,
    now(), now()
  from ids, source`;

/** So many mails to the person, which have arrived. */
export async function deliveredMails(service: TestService, tenant: Tenant, count: number): Promise<void> {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, person);
  await db.query(copies, [mail_id, count - 1]);
  await indexSubjectsJob.run({ db, now: new Date(), isStopping: () => false });
}

/** A line of the audit log about the person, by which a test holds an erasure up. */
export async function lineAbout({ db }: TestService, { instance }: Tenant): Promise<number> {
  const [line] = await db.query<{ id: number }>(
    `insert into audit_events (instance_id, actor_kind, action, object_kind, details)
     values ($1, 'system', 'test.written', 'test', $2) returning id`,
    [instance.id, JSON.stringify({ email: person })],
  );
  return line?.id as number;
}

/** A mail to the person that is being delivered. */
export async function mailUnderWay(service: TestService, tenant: Tenant): Promise<void> {
  const mail_id = await acceptedMail(service, tenant, person);
  await service.db.query(
    `update queue set lease = gen_random_uuid(), due_at = now() + interval '1 hour' where mail_id = $1`,
    [mail_id],
  );
}
