-- What happens to mail for the addresses of a verified domain (contract §19). The first route that matches decides.
create table inbound_routes (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  domain_id bigint not null references domains (id) on delete cascade,
  external_id text,
  name text not null,
  -- Order in the domain, beginning with 1. A reordering writes all of them in one statement, so it is not unique.
  position integer not null,
  match text not null,
  -- In lower case; empty for a catch-all.
  local_part text not null,
  action text not null,
  -- Where `forward` sends it: addresses that are verified in forward_addresses.
  forward_to text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint inbound_routes_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$'),
  constraint inbound_routes_name_check check (length(name) between 1 and 255),
  constraint inbound_routes_match_check check (match in ('exact', 'prefix', 'tag', 'catch_all')),
  constraint inbound_routes_local_part_check check (length(local_part) <= 64 and (match = 'catch_all') = (local_part = '')),
  constraint inbound_routes_action_check check (action in ('webhook', 'forward', 'store', 'reject')),
  constraint inbound_routes_forward_check check ((action = 'forward') = (cardinality(forward_to) > 0) and cardinality(forward_to) <= 10)
);
create index inbound_routes_order on inbound_routes (domain_id, position, id);
create index inbound_routes_instance on inbound_routes (instance_id, id);
create unique index inbound_routes_external_id_unique on inbound_routes (instance_id, external_id) where external_id is not null;
create trigger inbound_routes_changed after insert or update or delete on inbound_routes
  for each row execute function notify_changed();

-- Addresses that agreed to get forwarded mail of an instance. Null verified_at: asked, not answered yet.
create table forward_addresses (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  address text not null,
  address_key text not null generated always as (lower(address collate "und-x-icu")) stored,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  constraint forward_addresses_address_check check (length(address) between 3 and 320)
);
create unique index forward_addresses_unique on forward_addresses (instance_id, address_key);
