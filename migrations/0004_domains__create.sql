-- Sending domains with their four verification states and DKIM keys, and the senders on them.

create table domains (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  -- A-label form, lower case, without a trailing dot.
  domain text not null check (domain = lower(domain) and length(domain) between 1 and 253),
  is_sandbox boolean not null default false,
  -- Part of the names that the owner publishes, so that two instances with one domain never share a record.
  ownership_token text not null constraint domains_ownership_token_key unique check (ownership_token ~ '^[a-z0-9]{20,40}$'),
  ownership_verified_at timestamptz,
  mx_status text not null default 'pending' check (mx_status in ('pending', 'verified', 'failed', 'revoked')),
  spf_status text not null default 'pending' check (spf_status in ('pending', 'verified', 'failed', 'revoked')),
  dkim_status text not null default 'pending' check (dkim_status in ('pending', 'verified', 'failed', 'revoked')),
  dmarc_status text not null default 'pending' check (dmarc_status in ('pending', 'verified', 'failed', 'revoked')),
  mx_verified_at timestamptz,
  spf_verified_at timestamptz,
  dkim_verified_at timestamptz,
  dmarc_verified_at timestamptz,
  -- Why each check failed, for people: {"mx": "...", "spf": "..."}.
  check_reasons jsonb not null default '{}',
  last_verification_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index domains_name_unique on domains (instance_id, domain) where deleted_at is null;

create table dkim_keys (
  domain_id bigint not null references domains on delete cascade,
  selector text not null check (selector in ('s1', 's2')),
  -- SubjectPublicKeyInfo, base64: the p= of the DKIM record.
  public_key text not null,
  -- PKCS#8 DER under AES-256-GCM with a key derived from the root secret.
  private_key bytea not null,
  is_signing boolean not null,
  created_at timestamptz not null default now(),
  primary key (domain_id, selector)
);
create unique index dkim_keys_one_signs on dkim_keys (domain_id) where is_signing;

create table senders (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  domain_id bigint not null references domains on delete cascade,
  name text not null check (length(name) between 1 and 255),
  email_address text not null check (length(email_address) between 3 and 254),
  stream text not null default 'transactional' check (stream in ('transactional', 'broadcast')),
  requires_consent boolean not null default false,
  consent_purpose_id bigint references consent_purposes,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint senders_consent_has_purpose check (not requires_consent or consent_purpose_id is not null)
);
-- Addresses are matched without regard to case.
create unique index senders_email_unique on senders (instance_id, lower(email_address)) where deleted_at is null;
create index senders_domain on senders (domain_id);

create trigger domains_changed after insert or update or delete on domains
  for each row execute function notify_changed();
create trigger senders_changed after insert or update or delete on senders
  for each row execute function notify_changed();
