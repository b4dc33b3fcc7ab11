-- The mails of a tag, newest first. It stands apart from `mails`: a mail has up to 20 tags, its row moves with each status, and an
-- index of the column would be written again with each move. A mail without tags has no row here. In order of time for each tag, so
-- that a page costs the same whether the tag has ten mails or ten million: an index of arrays has to read all of them first.
create table mail_tags (
  instance_id bigint not null,
  -- `name:value`; a name has no colon.
  tag text collate "C" not null,
  mail_id uuid not null,
  primary key (instance_id, tag, mail_id)
) partition by range (mail_id);

create or replace function ensure_partitions(months_ahead integer) returns integer language plpgsql as $$
declare
  parent text;
  month timestamptz;
  made integer := 0;
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('chasqui partitions'));
  foreach parent in array array['messages', 'message_attachments', 'mails', 'mail_tags', 'events', 'mail_subjects'] loop
    for step in -1 .. months_ahead loop
      month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => step)) at time zone 'UTC';
      partition_name := parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM');
      if to_regclass(partition_name) is null then
        execute format('create table %I (like %I including all) with (%s)', partition_name, parent,
          case parent when 'mails' then 'fillfactor = 70' when 'messages' then 'toast_tuple_target = 4080'
            else 'fillfactor = 100' end);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition_name,
          uuid_at(month), uuid_at((month at time zone 'UTC' + interval '1 month') at time zone 'UTC'));
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- As many months as mail has.
do $$
declare
  month record;
begin
  for month in
    select replace(c.relname, 'mails_', 'mail_tags_') as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'mails'::regclass
  loop
    execute format('create table %I partition of mail_tags %s', month.name, month.bound);
  end loop;
end $$;
