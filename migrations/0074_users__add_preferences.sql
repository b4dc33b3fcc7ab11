-- Who runs the installation, how a person wants the panel, a second factor, and where a session is used.

alter table users
  add column is_operator boolean not null default false,
  add column language text check (language in ('en', 'es')),
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column two_factor_secret bytea,
  add column two_factor_enabled_at timestamptz,
  -- The time step of the last code that was taken (RFC 6238 §5.2): none is taken twice.
  add column two_factor_step bigint not null default 0,
  add constraint users_two_factor_has_secret check (two_factor_enabled_at is null or two_factor_secret is not null);

-- The owner that a first start made, before there was anybody else.
update users set is_operator = true
where email = 'owner@chasqui.test' and id = (select min(id) from users);

alter table sessions
  add column address inet,
  add column user_agent text check (length(user_agent) <= 512);

create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  hash bytea not null check (length(hash) = 32),
  used_at timestamptz,
  primary key (user_id, hash)
);

create table password_resets (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_user on password_resets (user_id);
create index password_resets_expired on password_resets (expires_at);
