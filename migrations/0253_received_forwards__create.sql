-- What became of mail that routes forward: a row for each address, made when the mail is parsed.
create table received_forwards (
  id bigint generated always as identity primary key,
  received_mail_id uuid not null references received_mails (id) on delete cascade,
  instance_id bigint not null,
  route_id bigint,
  address text not null,
  address_key text not null generated always as (lower(address collate "und-x-icu")) stored,
  state text not null default 'pending',
  -- Why it was not sent on.
  reason text,
  -- The mail of the platform that carries it; its delivery is in `mails`.
  mail_id uuid,
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint received_forwards_state_check check (state in ('pending', 'sent_on', 'refused')),
  constraint received_forwards_sent check ((state = 'sent_on') = (mail_id is not null)),
  constraint received_forwards_refused check ((state = 'refused') = (reason is not null))
);
create unique index received_forwards_unique on received_forwards (received_mail_id, address_key);
create index received_forwards_route on received_forwards (instance_id, route_id, id desc);
create index received_forwards_due on received_forwards (instance_id, due_at) where state = 'pending';
create index received_forwards_address on received_forwards (instance_id, address_key);

-- When the address was last asked; a link is good for seven days after that.
alter table forward_addresses add column asked_at timestamptz not null default now();
