-- What a tenant marks on its charts, such as a deploy: a moment and a short text.
create table annotations (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  text text not null check (length(text) between 1 and 200),
  at timestamptz not null,
  created_at timestamptz not null
);
create index annotations_newest on annotations (instance_id, at desc, id desc);
