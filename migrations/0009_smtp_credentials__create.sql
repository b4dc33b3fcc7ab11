-- Credentials for SMTP submission. The user name is `chq-<id>`; only a hash of the password is kept.
create table smtp_credentials (
  id text primary key check (id ~ '^[a-z0-9]{16}$'),
  instance_id bigint not null references instances on delete cascade,
  name text not null check (length(name) between 1 and 255),
  password_hash bytea not null check (length(password_hash) = 32),
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index smtp_credentials_instance on smtp_credentials (instance_id);

create trigger smtp_credentials_changed after insert or update or delete on smtp_credentials
  for each row execute function notify_changed();
