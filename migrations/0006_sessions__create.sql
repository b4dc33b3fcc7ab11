-- Who is signed in to the panel, and how often sign-ins failed of late.

create table sessions (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  -- Of the one refresh token that is current; all older ones have been rotated away.
  generation integer not null default 0,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_user on sessions (user_id);
create index sessions_expired on sessions (expires_at);

-- Every refresh token of a session, rotated ones too: the use of an old one tells that it was stolen.
create table refresh_tokens (
  -- SHA-256 of the token; the token itself is in the user's cookie and nowhere else.
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references sessions on delete cascade,
  generation integer not null,
  rotated_at timestamptz,
  -- The random part of its successor, which the token and the root secret complete.
  successor_nonce bytea check (length(successor_nonce) = 32),
  constraint refresh_tokens_generation_key unique (session_id, generation),
  constraint refresh_tokens_rotated_have_nonce check ((rotated_at is null) = (successor_nonce is null))
);

-- Failed sign-ins by address of the account, by source network and by both. Shared by all nodes.
create table login_attempts (
  -- `email:`, `network:` or `pair:` and an HMAC: the table tells nobody who tried to sign in from where.
  key text primary key check (length(key) < 64),
  failures integer not null check (failures >= 0),
  -- When the count begins anew.
  resets_at timestamptz not null,
  blocked_until timestamptz,
  -- Whether the audit trail has been told of the present block.
  is_noted boolean not null default false
);
create index login_attempts_reset on login_attempts (resets_at);
