-- Keys of WebAuthn authenticators, by which people sign in. Only public keys are stored.
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  -- COSE key.
  public_key bytea not null check (length(public_key) between 1 and 4096),
  -- What the authenticator counted at the last use; always 0 for those that do not count.
  sign_count bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 100),
  -- Whether the authenticator keeps a copy elsewhere.
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_credential_key unique (credential_id)
);
create index passkeys_user on passkeys (user_id);

-- Challenges that were answered rightly, so that none counts twice. Those that nobody answered are not stored.
create table used_challenges (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);
create index used_challenges_expired on used_challenges (expires_at);
