-- What persons ask for under Law 21.719: access, rectification, erasure, opposition, portability, blocking. Their
-- contacts stand here while a request needs them; an erasure takes them out and leaves keyed hashes.
create table rights_requests (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  kind text not null check (kind in ('access', 'rectification', 'erasure', 'opposition', 'portability', 'blocking')),
  status text not null check (status in ('unverified', 'open', 'fulfilled', 'refused')),
  origin text not null check (origin in ('page', 'panel', 'api')),
  contacts jsonb not null check (jsonb_typeof(contacts) = 'array' and octet_length(contacts::text) <= 65536),
  -- HMAC of each contact under a key of the installation.
  contact_hashes bytea[] not null check (cardinality(contact_hashes) between 1 and 50),
  purpose_ids bigint[] not null default '{}' check (cardinality(purpose_ids) <= 100),
  -- In the person's words.
  detail text check (length(detail) between 1 and 4000),
  language text not null default 'es' check (language in ('es', 'en')),
  received_at timestamptz not null,
  due_at timestamptz not null,
  extended_at timestamptz,
  extension_reason text check (length(extension_reason) between 1 and 2000),
  verified_at timestamptz,
  -- An erasure that was decided and is under way, and how far it came.
  started_at timestamptz,
  progress jsonb not null default '{}' check (jsonb_typeof(progress) = 'object'),
  closed_at timestamptz,
  ground text check (length(ground) between 1 and 2000),
  resolution text check (length(resolution) between 1 and 4000),
  lifted_at timestamptz,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  constraint rights_requests_extended check ((extended_at is null) = (extension_reason is null)),
  constraint rights_requests_closed check ((closed_at is null) = (status in ('unverified', 'open'))),
  constraint rights_requests_refused check ((ground is null) = (status <> 'refused'))
);
create index rights_requests_listed on rights_requests (instance_id, id desc);
create index rights_requests_due on rights_requests (due_at) where status = 'open';
create index rights_requests_running on rights_requests (id) where status = 'open' and started_at is not null;
create index rights_requests_unverified on rights_requests (created_at) where status = 'unverified';

-- Whom nobody writes to any more at their own request, by a keyed hash: after an erasure the address itself is not kept.
-- The rows of kind `erased` are also the list of erasures that is replayed on what a backup brings back.
create table suppressed_contacts (
  instance_id bigint not null references instances (id) on delete cascade,
  hash bytea not null check (length(hash) = 32),
  kind text not null check (kind in ('erased', 'blocked')),
  request_id bigint not null,
  since timestamptz not null,
  -- Came with a restore: what belongs to it is looked for and erased again.
  replay_since timestamptz,
  primary key (instance_id, hash, kind)
);
create index suppressed_contacts_replay on suppressed_contacts (instance_id) where replay_since is not null;
