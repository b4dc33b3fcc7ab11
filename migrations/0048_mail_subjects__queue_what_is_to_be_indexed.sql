-- Mails whose subject is not indexed yet, written by the commit that accepts them. The index of subjects followed the mails
-- by the time in their identifiers, half a minute behind; what was committed later than that was never indexed.
--
-- An outbox and not a cursor over transactions, as webhooks have over events: `mails` has no transaction id, and a column
-- with an index for it costs the server 3.3 µs per mail and again with every change that moves the row. A row per kind of mail
-- and statement, from the same pass over the new rows that makes the statistics, costs 0.3 to 1.4 µs per mail in batches of
-- 20 to 150, and 9.5 µs for a mail written alone. It needs no horizon and nothing to settle after a restore.
create table mail_subjects_pending (
  instance_id bigint not null,
  mail_ids uuid[] not null
) with (toast_tuple_target = 8160);
-- Compressing identifiers would cost more than writing them.
alter table mail_subjects_pending alter column mail_ids set storage external;

-- Writers that are under way still use the function as it was: after this there are none, until the commit. Readers go on.
lock table mails in share row exclusive mode;

create or replace function note_accepted() returns trigger language plpgsql as $$
begin
  with kind as materialized (
    select instance_id, quarter_of(received_at) as quarter, sender_id, coalesce(category_id, 0) as category_id,
      custom_group_code, count(*) as received, count(*) filter (where status = 3) as sent,
      count(*) filter (where status = 4) as dropped, count(*) filter (where status = 5) as deferred,
      count(*) filter (where status = 6) as bounced, count(*) filter (where status = 7) as onhold,
      count(*) filter (where test_mode) as test, sum(opens) as opens, count(*) filter (where opens > 0) as unique_opens,
      sum(clicks) as clicks, count(*) filter (where clicks > 0) as unique_clicks,
      count(*) filter (where status = 2) as queued, count(*) filter (where status = 3 and opens = 0) as unopened,
      array_agg(mail_id) as mail_ids
    from accepted
    group by 1, 2, 3, 4, 5
  ), counted as (
    insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, received, sent, dropped,
      deferred, bounced, onhold, test, opens, unique_opens, clicks, unique_clicks, queued, unopened)
    select instance_id, quarter, sender_id, category_id, custom_group_code, received, sent, dropped, deferred, bounced,
      onhold, test, opens, unique_opens, clicks, unique_clicks, queued, unopened
    from kind
  )
  insert into mail_subjects_pending (instance_id, mail_ids) select instance_id, mail_ids from kind;
  return null;
end $$;

-- Nodes of the version before read and move `mail_subjects_progress`. This version moves it along for them, so that they
-- index nothing twice, and reads it no more.
