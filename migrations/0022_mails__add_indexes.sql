-- An index for each filter that finds few of many mails, and for each kind of event that is listed. What each costs the
-- writer, in microseconds of the server's processor per mail (unnest of 500 rows, medians): see docs/activity.md.

-- By instance too, since nobody asks for a message without naming one; messages are listed newest first.
drop index mails_message;
create index mails_message on mails (instance_id, msg_id desc);

-- Addresses are the same in either case, in letters beyond ASCII too. Sorted by bytes all the same: only the mapping of
-- letters is ICU's. By it the beginning of an address is a range.
create index mails_recipient
  on mails (instance_id, (lower(recipient collate "und-x-icu") collate "C"), mail_id desc);
create index mails_custom_msg on mails (instance_id, custom_msg_id, mail_id desc) where custom_msg_id is not null;
create index mails_custom_group on mails (instance_id, custom_group_code, mail_id desc)
  where custom_group_code is not null;

-- An event is in one of these at most, and most events are in none.
create index events_opened on events (instance_id, event_id desc) where event = 'opened';
create index events_clicked on events (instance_id, event_id desc) where event = 'clicked';
create index events_bounced on events (instance_id, event_id desc) where event = 'bounced';

-- Parts of subjects are found by trigrams. Their index would take as long to write as all the rest of a mail, and again
-- whenever the mail's row moves: it stands apart, is never updated, and role jobs fills it a little behind.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table mail_subjects (
  mail_id uuid not null,
  instance_id bigint not null,
  -- In small letters.
  subject text not null
) partition by range (mail_id);
create index mail_subjects_parts on mail_subjects using gin (instance_id, subject gin_trgm_ops);

create table mail_subjects_progress (
  only_row boolean primary key default true check (only_row),
  -- All mails up to here have their subject in the table.
  indexed_to uuid not null
);
insert into mail_subjects_progress (indexed_to) values ('00000000-0000-0000-0000-000000000000');

create or replace function ensure_partitions(months_ahead integer) returns integer language plpgsql as $$
declare
  parent text;
  month timestamptz;
  made integer := 0;
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('chasqui partitions'));
  foreach parent in array array['messages', 'message_attachments', 'mails', 'events', 'mail_subjects'] loop
    for step in -1 .. months_ahead loop
      month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => step)) at time zone 'UTC';
      partition_name := parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM');
      if to_regclass(partition_name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', partition_name, parent,
          uuid_at(month), uuid_at((month at time zone 'UTC' + interval '1 month') at time zone 'UTC'));
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- Subjects of months that have passed too.
do $$
declare
  month record;
begin
  for month in
    select replace(c.relname, 'mails_', 'mail_subjects_') as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'mails'::regclass
  loop
    execute format('create table %I partition of mail_subjects %s', month.name, month.bound);
  end loop;
end $$;
select ensure_partitions(3);
