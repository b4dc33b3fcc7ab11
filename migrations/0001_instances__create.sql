-- Tenants, the people and keys that act for them, and the trail of what they did.

-- Facts about the installation as a whole; one row.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Nodes with another root secret could not read what is encrypted here: they refuse to start.
  secret_fingerprint text not null,
  created_at timestamptz not null default now()
);

create table instances (
  id bigint generated always as identity primary key,
  slug text not null constraint instances_slug_key unique
    check (slug ~ '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$'),
  name text not null check (length(name) between 1 and 255),
  timezone text not null default 'UTC',
  is_enabled boolean not null default true,
  subscription_status text not null default 'active' check (subscription_status in ('active', 'inactive')),
  plan_send_limit bigint check (plan_send_limit >= 0),
  attachment_limit_bytes bigint not null default 1048576 check (attachment_limit_bytes >= 0),
  bandwidth_bytes_per_second bigint not null default 10485760 check (bandwidth_bytes_per_second > 0),
  bandwidth_burst_bytes bigint not null default 67108864 check (bandwidth_burst_bytes > 0),
  -- Empty: every address may call.
  ip_allowlist cidr[] not null default '{}',
  retention_months smallint not null default 3 check (retention_months between 1 and 120),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email) and length(email) <= 254),
  name text not null default '',
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_key unique (email)
);

create table memberships (
  instance_id bigint not null references instances on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  constraint memberships_pkey primary key (instance_id, user_id)
);
create index memberships_user on memberships (user_id);

create table api_keys (
  -- The public part of the key, `chq.<id>.<token>`.
  id text primary key check (id ~ '^[a-z0-9]{16}$'),
  instance_id bigint not null references instances on delete cascade,
  name text not null check (length(name) between 1 and 255),
  -- SHA-256 of the token; the token itself is shown once and never stored.
  token_hash bytea not null check (length(token_hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0),
  ip_allowlist cidr[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_instance on api_keys (instance_id);

create table audit_events (
  id bigint generated always as identity primary key,
  -- Null: an act on the installation itself.
  instance_id bigint references instances on delete cascade,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'operator', 'system')),
  actor_id text,
  address inet,
  action text not null,
  object_kind text not null,
  object_id text,
  details jsonb not null default '{}'
);
create index audit_events_instance on audit_events (instance_id, id desc);

-- Tells every node which row changed, with the commit that changed it, so that caches forget it at once.
create function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('chasqui_changed', tg_table_name || ' ' || (to_jsonb(coalesce(new, old)) ->> 'id'));
  return null;
end $$;

create trigger instances_changed after update or delete on instances
  for each row execute function notify_changed();
create trigger api_keys_changed after insert or update or delete on api_keys
  for each row execute function notify_changed();
