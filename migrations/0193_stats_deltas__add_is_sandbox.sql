-- Says which changes are of mails to the sandbox. Role jobs adds them up in a table of their own, besides the others.
create function is_sandbox_address(address text) returns boolean language sql immutable parallel safe
  return lower(address) like '%@sandbox.test' or lower(address) like '%.sandbox.test';

alter table stats_deltas add column is_sandbox boolean not null default false;

create or replace function note_accepted() returns trigger language plpgsql as $$
begin
  with kind as materialized (
    select instance_id, quarter_of(received_at) as quarter, sender_id, coalesce(category_id, 0) as category_id,
      custom_group_code, test_mode as is_test, is_sandbox_address(recipient) as is_sandbox, count(*) as received, count(*) filter (where status = 3) as sent,
      count(*) filter (where status = 4) as dropped, count(*) filter (where status = 5) as deferred,
      count(*) filter (where status = 6) as bounced, count(*) filter (where status = 7) as onhold,
      count(*) filter (where test_mode) as test, sum(opens) as opens, count(*) filter (where opens > 0) as unique_opens,
      sum(clicks) as clicks, count(*) filter (where clicks > 0) as unique_clicks,
      count(*) filter (where status = 2) as queued, count(*) filter (where status = 3 and opens = 0) as unopened,
      array_agg(mail_id) as mail_ids
    from accepted
    group by 1, 2, 3, 4, 5, 6, 7
  ), counted as (
    insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, is_test, is_sandbox, received,
      sent, dropped, deferred, bounced, onhold, test, opens, unique_opens, clicks, unique_clicks, queued, unopened)
    select instance_id, quarter, sender_id, category_id, custom_group_code, is_test, is_sandbox, received, sent, dropped,
      deferred, bounced, onhold, test, opens, unique_opens, clicks, unique_clicks, queued, unopened
    from kind
  )
  insert into mail_subjects_pending (instance_id, mail_ids) select instance_id, mail_ids from kind;
  return null;
end $$;

-- The mails as they are now, less what they were before. A mail that is erased stays where it was counted.
create or replace function note_changed() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, is_test, is_sandbox, sent,
    dropped, deferred, bounced, onhold, opens, unique_opens, clicks, unique_clicks, queued, unopened)
  select * from (
    select instance_id, quarter_of(received_at), sender_id, coalesce(category_id, 0), custom_group_code, test_mode, is_sandbox,
      coalesce(sum(sign) filter (where status = 3), 0) as sent,
      coalesce(sum(sign) filter (where status = 4), 0) as dropped,
      coalesce(sum(sign) filter (where status = 5), 0) as deferred,
      coalesce(sum(sign) filter (where status = 6), 0) as bounced,
      coalesce(sum(sign) filter (where status = 7), 0) as onhold,
      sum(sign * opens) as opens,
      coalesce(sum(sign) filter (where opens > 0), 0) as unique_opens,
      sum(sign * clicks) as clicks,
      coalesce(sum(sign) filter (where clicks > 0), 0) as unique_clicks,
      coalesce(sum(sign) filter (where status = 2), 0) as queued,
      coalesce(sum(sign) filter (where status = 3 and opens = 0), 0) as unopened
    from (
      select 1 as sign, n.*, case when n.recipient = 'erased@erased.invalid'
        then exists (select from before_that b where b.mail_id = n.mail_id and is_sandbox_address(b.recipient))
        else is_sandbox_address(n.recipient) end as is_sandbox
      from now_so n
      union all
      select -1, b.*, is_sandbox_address(b.recipient) from before_that b
    ) as mail
    group by 1, 2, 3, 4, 5, 6, 7
  ) as change
  where (sent, dropped, deferred, bounced, onhold, opens, clicks, queued, unopened) <> (0, 0, 0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;

create or replace function note_unsubscribed() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, is_test, is_sandbox, unsubscribes)
  select u.instance_id, quarter_of(uuid_time(u.mail_id)), u.sender_id, coalesce(m.category_id, 0), m.custom_group_code,
    coalesce(m.test_mode, false), coalesce(is_sandbox_address(m.recipient), false), count(*)
  from unsubscribed u left join mails m on m.mail_id = u.mail_id
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;

create or replace function note_complained() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, is_test, is_sandbox, complaints)
  select c.instance_id, quarter_of(uuid_time(c.mail_id)), c.sender_id, coalesce(m.category_id, 0), m.custom_group_code,
    coalesce(m.test_mode, false), coalesce(is_sandbox_address(m.recipient), false), count(*)
  from complained c left join mails m on m.mail_id = c.mail_id
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;
