-- A mail's row changes at least once, from queued to sent, and in a full page every change writes all indexes anew. With room
-- for it 42 to 100 % of changes write none (by how many mails of a page change at once; 1 to 63 % without): 35 µs of the
-- server's processor per change in batches of 500, where it was 59.
do $$
declare
  month record;
begin
  for month in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'mails'::regclass
  loop
    execute format('alter table %I set (fillfactor = 70)', month.name);
  end loop;
end $$;

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
        execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
          partition_name, parent, uuid_at(month),
          uuid_at((month at time zone 'UTC' + interval '1 month') at time zone 'UTC'),
          case parent when 'mails' then 70 else 100 end);
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;
