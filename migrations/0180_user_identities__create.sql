-- Sign-in by an OpenID Connect provider: which account a person of the provider is. The subject decides, since an email can be
-- given to another person.
create table user_identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  issuer text not null check (length(issuer) between 1 and 2048),
  subject text not null check (length(subject) between 1 and 255),
  -- As the provider told it at the last sign-in.
  email text not null check (length(email) <= 254),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint user_identities_subject_key unique (issuer, subject)
);
create index user_identities_user on user_identities (user_id);

-- False for an account that a provider's sign-in made: its hash is of random bytes that nobody knows.
alter table users add column has_password boolean not null default true;
