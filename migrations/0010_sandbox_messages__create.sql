-- The sandbox inbox: every message to a sandbox recipient, as it would have gone over the wire.
create table sandbox_messages (
  mail_id uuid primary key,
  instance_id bigint not null references instances on delete cascade,
  recipient text not null,
  raw bytea not null,
  captured_at timestamptz not null
);
alter table sandbox_messages alter column raw set storage external;
create index sandbox_messages_instance on sandbox_messages (instance_id, mail_id desc);
