-- A month's tables are made apart and then attached. `create table … partition of` locks the parent against everybody, five
-- parents in one transaction, while readers hold them in any order: one waited for the other until PostgreSQL ended one of them.
-- Attaching takes a lock that no reader and no writer of mail needs.
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
