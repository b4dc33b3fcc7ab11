-- The certificate of all nodes, got from a certificate authority by ACME. One row; its key is sealed with the root secret.
create table certificates (
  id smallint primary key check (id = 1),
  names text[] not null check (cardinality(names) between 1 and 100),
  chain text not null check (length(chain) <= 262144),
  private_key bytea not null,
  valid_from timestamptz not null,
  valid_until timestamptz not null
);

-- The account at each authority that was used, and how the last order there went.
create table acme_accounts (
  directory text primary key check (length(directory) <= 2000),
  private_key bytea not null,
  failures integer not null default 0,
  last_error text check (length(last_error) <= 1000),
  next_attempt_at timestamptz
);

-- Answers to HTTP-01 challenges that are under way; any node may be asked for them.
create table acme_challenges (
  token text primary key check (length(token) <= 200),
  answer text not null check (length(answer) <= 400),
  expires_at timestamptz not null
);
