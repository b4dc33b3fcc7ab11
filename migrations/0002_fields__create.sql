-- The catalog of contact fields. A row is never removed: its key stays reserved.
create table fields (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  name text not null check (length(name) between 1 and 255),
  field_key text not null check (field_key ~ '^[A-Z0-9_]{1,64}$'),
  type text not null check (type in (
    'email', 'phone', 'text', 'textarea', 'number', 'date', 'select', 'multiselect', 'boolean', 'url', 'address'
  )),
  is_system boolean not null default false,
  is_active boolean not null default true,
  config jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint fields_key_unique unique (instance_id, field_key),
  constraint fields_system_stays check (not is_system or deleted_at is null)
);
create index fields_listed on fields (instance_id, id) where deleted_at is null;
