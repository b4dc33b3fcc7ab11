-- Keys with which programs manage the installation, as operators do in the panel. Only a hash of each token is stored.
create table operator_keys (
  id text primary key check (id ~ '^[a-z0-9]{16}$'),
  name text not null check (length(name) between 1 and 255),
  token_hash bytea not null check (length(token_hash) = 32),
  ip_allowlist cidr[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
