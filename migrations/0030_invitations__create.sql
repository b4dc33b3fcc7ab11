-- People who were asked by mail to become members of an instance.
create table invitations (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 254),
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  -- SHA-256 of the token; the token itself is in the mail and nowhere else.
  token_hash bytea not null constraint invitations_token_key unique check (length(token_hash) = 32),
  invited_by bigint references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
create index invitations_instance on invitations (instance_id, id);
-- Who is invited again gets a new token, and the old one stops working.
create unique index invitations_one_open on invitations (instance_id, email)
  where accepted_at is null and revoked_at is null;
