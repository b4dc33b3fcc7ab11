-- What a template said after each save that changed its content: to compare, and to go back to. The HTML is made from the
-- source again when a version is restored.
create table template_versions (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  template_id bigint not null references mail_templates (id) on delete cascade,
  version integer not null check (version > 0),
  subject text,
  editor text not null check (editor in ('html', 'mjml')),
  source text,
  text text,
  size_bytes integer not null,
  restored_from integer,
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'operator', 'system')),
  actor_id text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  unique (template_id, version)
);
create index template_versions_instance on template_versions (instance_id);
