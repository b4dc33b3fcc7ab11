-- What people of an instance are told about before they look: the rules, what was raised, and who has seen it.

-- Only rules that differ from the defaults have a row.
create table alert_rules (
  instance_id bigint not null references instances (id) on delete cascade,
  kind text not null check (length(kind) between 1 and 64),
  is_enabled boolean not null,
  threshold double precision,
  by_mail boolean not null,
  updated_at timestamptz not null,
  primary key (instance_id, kind)
);

create table alerts (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  kind text not null check (length(kind) between 1 and 64),
  -- The webhook, domain or request that it is about; empty where it is about the instance.
  object_id text not null check (length(object_id) <= 64),
  -- As people call it.
  object_name text not null check (length(object_name) <= 255),
  value double precision,
  threshold double precision,
  raised_at timestamptz not null,
  resolved_at timestamptz
);
-- One cause raises one alert.
create unique index alerts_open on alerts (instance_id, kind, object_id) where resolved_at is null;
create index alerts_newest on alerts (instance_id, id desc);
create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;

create table alert_reads (
  alert_id bigint not null references alerts (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  read_at timestamptz not null,
  primary key (alert_id, user_id)
);
create index alert_reads_user on alert_reads (user_id);
