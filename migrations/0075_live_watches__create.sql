-- Instances that somebody is looking at in the panel. What is new of theirs is announced on `chasqui_live` by its
-- identifiers; while nobody looks, nothing is announced.
create table live_watches (
  instance_id bigint not null references instances (id) on delete cascade,
  watcher uuid not null,
  expires_at timestamptz not null,
  primary key (instance_id, watcher)
);

-- A notification takes up to 8,000 bytes; of more than 100 rows of one statement the newest are named and the rest counted.
create function announce_accepted() returns trigger language plpgsql as $$
begin
  if exists (select from live_watches) then
    perform pg_notify('chasqui_live', json_build_object('instance_id', instance_id, 'kind', 'mails',
      'ids', (array_agg(mail_id order by mail_id desc))[1:100], 'count', count(*))::text)
    from accepted where instance_id in (select w.instance_id from live_watches w where w.expires_at > now())
    group by instance_id;
  end if;
  return null;
end $$;
create trigger mails_announced after insert on mails
  referencing new table as accepted for each statement execute function announce_accepted();

create function announce_events() returns trigger language plpgsql as $$
begin
  if exists (select from live_watches) then
    perform pg_notify('chasqui_live', json_build_object('instance_id', instance_id, 'kind', 'events',
      'ids', (array_agg(event_id order by event_id desc))[1:100], 'count', count(*))::text)
    from added where instance_id in (select w.instance_id from live_watches w where w.expires_at > now())
    group by instance_id;
  end if;
  return null;
end $$;
create trigger events_announced after insert on events
  referencing new table as added for each statement execute function announce_events();
