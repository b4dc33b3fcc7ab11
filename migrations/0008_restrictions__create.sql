-- Who must not be written to, per instance. Addresses are matched without regard to case.
create table restrictions (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  recipient text not null check (length(recipient) between 3 and 254),
  reason text not null check (reason in ('hard_bounce', 'complaint', 'manual')),
  mail_id uuid,
  detail text,
  created_at timestamptz not null default now()
);
create unique index restrictions_recipient_unique on restrictions (instance_id, lower(recipient));
