import type { Client } from 'pg';
import { seedSandbox } from '../../src/domains/sandbox.ts';

/** Mails of one person: 3 KB of HTML each, sent, three in four opened, one in four clicked, over the same 88 days as the rest. */
const mailsOfPerson = `
  with numbered as (
    select i, $1::bigint as instance_id, $2::bigint as sender_id, $3::text as recipient,
      (extract(epoch from now()) * 1000)::bigint - i * (88::bigint * 86400000 / $4) as msec
    from generate_series(1, $4::bigint) as i
  ), named as (
    select *, to_timestamp(msec / 1000.0) as at,
      (lpad(to_hex(msec), 12, '0') || '7' || substr(md5(recipient || i), 1, 3) || '8' || substr(md5(recipient || i), 4, 15))::uuid as id
    from numbered
  ), written as (
    insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes, content_kind,
      envelope, html)
    select id, instance_id, sender_id, 'http', 'transactional', false, 1, 3000, 'parts',
      jsonb_build_object('from', jsonb_build_object('address', 'hello@mail.example.com'), 'to',
        jsonb_build_array(jsonb_build_object('address', recipient)), 'cc', '[]'::jsonb, 'subject', 'Statement ' || i,
        'headers', '[]'::jsonb),
      convert_to('<p>' || repeat('Lorem ipsum dolor sit amet, consectetur. ' || md5(recipient || i), 40) || '</p>', 'UTF8')
    from named
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, data)
    select gen.event_id, id, id, instance_id, at + later, event, status, data::jsonb
    from named cross join lateral (values
      (id, interval '1 second', 'sent', 3::smallint,
        '{"attempt": 1, "remote_host": "mx.example.com", "smtp_code": 250, "response": "250 2.0.0 OK", "duration_ms": 312}'),
      ((left(id::text, 19) || 'a' || right(id::text, 16))::uuid, interval '1 hour',
        case when i % 4 > 0 then 'opened' end, null, '{"user_agent": "Mozilla/5.0 (Macintosh)", "is_machine": false}'),
      ((left(id::text, 19) || 'b' || right(id::text, 16))::uuid, interval '2 hours', case when i % 4 = 1 then 'clicked' end, null,
        '{"url": "https://example.com/offer", "user_agent": "Mozilla/5.0 (Macintosh)", "is_machine": false}')
    ) as gen (event_id, later, event, status, data) where event is not null
  )
  insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_name, recipient_kind, sender_id,
    sender_email, subject, test_mode, received_at, queued_at, sent_at, opens, clicks)
  select id, id, instance_id, 3, recipient, 'Ana Bench', 'to', sender_id, 'hello@mail.example.com', 'Statement ' || i, false, at,
    at, at + interval '1 second', case when i % 4 > 0 then 1 else 0 end, case when i % 4 = 1 then 1 else 0 end
  from named`;

/** Adds a person who is written to in no other run, with so many mails, to an instance that has the most. */
export async function addPerson(client: Client, slug: string, mails: number): Promise<string> {
  const query = async <Row>(sql: string, values: unknown[] = []) =>
    (await client.query(sql, values)).rows as Row[];
  const [instance] = await query<{ id: string }>('select id from instances where slug = $1', [slug]);
  const instance_id = Number(instance?.id);
  const senderOf = async () =>
    await query<{ id: string }>('select id from senders where instance_id = $1 limit 1', [instance_id]);
  if ((await senderOf()).length === 0) await seedSandbox({ query }, { id: instance_id, slug });
  const recipient = `person-${Date.now()}@example.com`;
  const [sender] = await senderOf();
  await client.query(mailsOfPerson, [instance_id, sender?.id, recipient, mails]);
  await client.query('analyze mails, events, messages');
  return recipient;
}
