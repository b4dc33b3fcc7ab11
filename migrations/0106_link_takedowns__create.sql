-- Hosts to which links in mail lead no longer, in any instance. Every node keeps all of them in memory, so that a click
-- asks the database nothing.
create table link_takedowns (
  id bigint generated always as identity primary key,
  host text not null unique check (length(host) between 1 and 253),
  reason text check (length(reason) between 1 and 500),
  taken_down_at timestamptz not null default now()
);
create trigger link_takedowns_changed after insert or update or delete on link_takedowns
  for each row execute function notify_changed();
