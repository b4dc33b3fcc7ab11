-- How many mails of each kind, kept as they change and never counted again. Totals are of the mails received in a quarter of
-- an hour (no zone's day begins elsewhere): what state those mails are in now, and what came of them.

create function uuid_time(id uuid) returns timestamptz language sql immutable strict parallel safe
  return to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0);

create function quarter_of(moment timestamptz) returns timestamptz language sql immutable strict parallel safe
  return date_bin('15 minutes', moment, timestamptz '2000-01-01 00:00:00+00');

-- What changed, written with the commit that changed it. Rows are only ever added, so that writers wait for nobody; role
-- jobs adds them up into the tables below.
create table stats_deltas (
  instance_id bigint not null,
  quarter timestamptz not null,
  sender_id bigint not null,
  -- 0: none.
  category_id bigint not null,
  custom_group_code text,
  received integer not null default 0,
  sent integer not null default 0,
  dropped integer not null default 0,
  deferred integer not null default 0,
  bounced integer not null default 0,
  onhold integer not null default 0,
  test integer not null default 0,
  opens integer not null default 0,
  unique_opens integer not null default 0,
  clicks integer not null default 0,
  unique_clicks integer not null default 0,
  unsubscribes integer not null default 0,
  complaints integer not null default 0,
  -- By these the list of mails can be filtered: waiting for the first attempt, and sent but not opened.
  queued integer not null default 0,
  unopened integer not null default 0
);

create table stats_quarters (
  instance_id bigint not null,
  -- Whether the row is of one sender and category, or of all of them, which most questions are about.
  is_detail boolean not null,
  sender_id bigint not null,
  category_id bigint not null,
  quarter timestamptz not null,
  received integer not null,
  sent integer not null,
  dropped integer not null,
  deferred integer not null,
  bounced integer not null,
  onhold integer not null,
  test integer not null,
  opens integer not null,
  unique_opens integer not null,
  clicks integer not null,
  unique_clicks integer not null,
  unsubscribes integer not null,
  complaints integer not null,
  queued integer not null,
  unopened integer not null,
  primary key (instance_id, is_detail, sender_id, category_id, quarter)
);

-- By the label that callers give. There can be as many labels as mails: they stand apart, so that questions about all mail
-- do not read them.
create table stats_group_quarters (
  instance_id bigint not null,
  custom_group_code text not null,
  sender_id bigint not null,
  category_id bigint not null,
  quarter timestamptz not null,
  received integer not null,
  sent integer not null,
  dropped integer not null,
  deferred integer not null,
  bounced integer not null,
  onhold integer not null,
  test integer not null,
  opens integer not null,
  unique_opens integer not null,
  clicks integer not null,
  unique_clicks integer not null,
  unsubscribes integer not null,
  complaints integer not null,
  queued integer not null,
  unopened integer not null,
  primary key (instance_id, custom_group_code, sender_id, category_id, quarter)
);

-- Adds a row per kind of mail of the statement, not per mail.
create function note_accepted() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, received, sent, dropped,
    deferred, bounced, onhold, test, opens, unique_opens, clicks, unique_clicks, queued, unopened)
  select instance_id, quarter_of(received_at), sender_id, coalesce(category_id, 0), custom_group_code, count(*),
    count(*) filter (where status = 3), count(*) filter (where status = 4), count(*) filter (where status = 5),
    count(*) filter (where status = 6), count(*) filter (where status = 7), count(*) filter (where test_mode),
    sum(opens), count(*) filter (where opens > 0), sum(clicks), count(*) filter (where clicks > 0),
    count(*) filter (where status = 2), count(*) filter (where status = 3 and opens = 0)
  from accepted
  group by 1, 2, 3, 4, 5;
  return null;
end $$;

-- The mails as they are now, less what they were before.
create function note_changed() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, sent, dropped, deferred,
    bounced, onhold, opens, unique_opens, clicks, unique_clicks, queued, unopened)
  select * from (
    select instance_id, quarter_of(received_at), sender_id, coalesce(category_id, 0), custom_group_code,
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
    from (select 1 as sign, * from now_so union all select -1, * from before_that) as mail
    group by 1, 2, 3, 4, 5
  ) as change
  where (sent, dropped, deferred, bounced, onhold, opens, clicks, queued, unopened) <> (0, 0, 0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;

create function note_unsubscribed() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, unsubscribes)
  select u.instance_id, quarter_of(uuid_time(u.mail_id)), u.sender_id, coalesce(m.category_id, 0), m.custom_group_code,
    count(*)
  from unsubscribed u left join mails m on m.mail_id = u.mail_id
  group by 1, 2, 3, 4, 5;
  return null;
end $$;

create function note_complained() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, complaints)
  select c.instance_id, quarter_of(uuid_time(c.mail_id)), c.sender_id, coalesce(m.category_id, 0), m.custom_group_code,
    count(*)
  from complained c left join mails m on m.mail_id = c.mail_id
  group by 1, 2, 3, 4, 5;
  return null;
end $$;

create trigger mails_accepted after insert on mails
  referencing new table as accepted for each statement execute function note_accepted();
create trigger mails_changed after update on mails
  referencing old table as before_that new table as now_so for each statement execute function note_changed();
create trigger unsubscribes_noted after insert on unsubscribes
  referencing new table as unsubscribed for each statement execute function note_unsubscribed();
create trigger complaints_noted after insert on complaints
  referencing new table as complained for each statement execute function note_complained();

-- What was accepted before there were statistics.
insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, received, sent, dropped,
  deferred, bounced, onhold, test, opens, unique_opens, clicks, unique_clicks, unsubscribes, complaints, queued, unopened)
select m.instance_id, quarter_of(m.received_at), m.sender_id, coalesce(m.category_id, 0), m.custom_group_code, count(*),
  count(*) filter (where status = 3), count(*) filter (where status = 4), count(*) filter (where status = 5),
  count(*) filter (where status = 6), count(*) filter (where status = 7), count(*) filter (where test_mode),
  sum(opens), count(*) filter (where opens > 0), sum(clicks), count(*) filter (where clicks > 0),
  count(u.mail_id), count(c.mail_id), count(*) filter (where status = 2), count(*) filter (where status = 3 and opens = 0)
from mails m left join unsubscribes u on u.mail_id = m.mail_id left join complaints c on c.mail_id = m.mail_id
group by 1, 2, 3, 4, 5;
