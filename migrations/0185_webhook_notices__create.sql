-- Events that are about no mail, such as alerts, as they are told to webhooks. Their deliveries have the nil UUID as mail_id. A node of
-- the version before takes such a delivery for one whose event is gone.
create table webhook_notices (
  event_id uuid primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  type text not null check (length(type) between 1 and 64),
  at timestamptz not null,
  data jsonb not null
);
create index webhook_notices_at on webhook_notices (at);
