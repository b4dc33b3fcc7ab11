-- What an API key with bounds makes has the same bounds, SMTP credentials too. Old credentials have none. Nodes of the version before
-- ignore them until they are upgraded, and make no credentials with bounds.
alter table smtp_credentials add column ip_allowlist cidr[] not null default '{}';
alter table smtp_credentials add column expires_at timestamptz;
alter table smtp_credentials add column sandbox_only boolean not null default false;
