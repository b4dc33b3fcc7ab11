-- Files of contacts with consents, and how far each is imported. It has no personal data: lines that were refused are named by
-- their number. The origin of each consent is also in its evidence, which the hash chain protects.
create table contact_imports (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  -- SHA-256 of the file and of what was said about it: the same import again goes on with this row.
  digest bytea not null check (length(digest) = 32),
  file_sha256 bytea not null check (length(file_sha256) = 32),
  file_bytes bigint not null check (file_bytes >= 0),
  file_name text check (length(file_name) between 1 and 255),
  term_id bigint not null,
  term_version_id bigint not null references consent_term_versions (id),
  purpose_ids bigint[] not null check (cardinality(purpose_ids) between 1 and 100),
  method text not null check (method in ('single_opt_in', 'double_opt_in')),
  -- How and where the consents were given, in the words of the importer.
  origin text not null check (length(origin) between 1 and 500),
  -- Of lines that do not say when.
  consented_at timestamptz,
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'operator', 'system')),
  actor_id text,
  field_keys text[] not null default '{}',
  ignored_columns text[] not null default '{}',
  -- Lines of the file with contacts, and how many of them are settled.
  lines bigint not null check (lines >= 0),
  lines_done bigint not null default 0 check (lines_done between 0 and lines),
  added bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  refused_count bigint not null default 0,
  -- The first of them: line, reason and column.
  refused jsonb not null default '[]' check (jsonb_typeof(refused) = 'array'),
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (instance_id, digest),
  foreign key (instance_id, term_id) references consent_terms (instance_id, id),
  constraint contact_imports_conserve check (added + updated + unchanged + refused_count = lines_done)
);
create index contact_imports_newest on contact_imports (instance_id, id desc);
