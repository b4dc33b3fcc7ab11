-- Addresses of this installation's nodes that mail goes out from, in pools. An instance without a pool of its own has the
-- one called `default`; while that is empty the system chooses.
create table source_addresses (
  id bigint generated always as identity primary key,
  -- As a node binds to it, which behind NAT is not how the world sees it.
  address inet not null constraint source_addresses_address_key unique
    check (masklen(address) = case family(address) when 4 then 32 else 128 end),
  -- The name that the world knows it by, in forward and reverse DNS.
  ehlo_name text not null check (length(ehlo_name) between 1 and 253),
  pool text not null check (pool ~ '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$'),
  -- A new address sends little at first, and more each day from its first mail on.
  warms_up boolean not null,
  first_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index source_addresses_pool on source_addresses (pool);

create table source_assignments (
  instance_id bigint primary key references instances on delete cascade,
  pool text not null
);

-- Mails of an address that warms up, to one provider, on one day of its life; nodes take them in batches.
create table source_usage (
  source_id bigint not null references source_addresses on delete cascade,
  provider text not null,
  day integer not null,
  used integer not null,
  primary key (source_id, provider, day)
);

-- Takes up to `wanted` mails of what `cap` leaves for the day, and tells how many.
create function lease_warm_up(source bigint, to_provider text, of_day integer, cap integer, wanted integer)
returns integer language plpgsql as $$
declare
  before integer;
begin
  insert into source_usage (source_id, provider, day, used) values (source, to_provider, of_day, 0)
    on conflict (source_id, provider, day) do nothing;
  if found then
    delete from source_usage where source_id = source and day < of_day;
    update source_addresses set first_used_at = now() where id = source and first_used_at is null;
  end if;
  select used into before from source_usage
    where source_id = source and provider = to_provider and day = of_day for update;
  update source_usage set used = greatest(used, least(cap, used + wanted))
    where source_id = source and provider = to_provider and day = of_day;
  return greatest(0, least(cap, before + wanted) - before);
end $$;

create trigger source_addresses_changed after insert or update or delete on source_addresses
  for each row execute function notify_changed();
create function notify_source_assignment() returns trigger language plpgsql as $$
begin
  perform pg_notify('chasqui_changed', 'source_assignments ' || coalesce(new.instance_id, old.instance_id));
  return null;
end $$;
create trigger source_assignments_changed after insert or update or delete on source_assignments
  for each row execute function notify_source_assignment();

-- Claims walk from lane to lane. Mail that waits for its time stands in none, or a hundred thousand deferred mails would
-- be a hundred thousand lanes to walk past in vain: it has its priority here only when its time has come.
alter table queue add column ready_priority smallint;
create index queue_ready on queue (ready_priority, instance_id, destination, due_at)
  where ready_priority is not null;
create index queue_waiting on queue (due_at) where ready_priority is null and held_since is null;

-- What held mail waits for, so that it is found by what was mended and not one by one. 0: its message is gone.
alter table queue add column held_domain_id bigint not null default 0;
update queue q set held_domain_id = s.domain_id
  from messages m join senders s on s.id = m.sender_id
  where m.msg_id = q.msg_id and q.held_since is not null;
create index queue_held_domains on queue (instance_id, held_domain_id, held_since) where held_since is not null;
