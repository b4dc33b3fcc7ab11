-- What a contact can be written to for. `code` is stable within the instance.
create table consent_purposes (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  code text not null check (code ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  name text not null check (length(name) between 1 and 255),
  description text,
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint consent_purposes_code_key unique (instance_id, code)
);
