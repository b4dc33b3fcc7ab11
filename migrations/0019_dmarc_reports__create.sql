-- What comes in by mail and is about no single mail: reports on whole domains, and letters to the people behind them.

-- By name alone, for mail that comes in to it.
create index domains_name on domains (domain) where deleted_at is null;

-- DMARC aggregate reports, as their senders wrote them: nobody vouches for what they say. An instance has its own copy,
-- since two may hold one domain.
create table dmarc_reports (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  domain_id bigint not null references domains on delete cascade,
  org_name text not null check (length(org_name) between 1 and 255),
  report_id text not null check (length(report_id) between 1 and 255),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  -- The policy that the domain published.
  policy text not null check (policy in ('none', 'quarantine', 'reject')),
  received_at timestamptz not null,
  constraint dmarc_reports_once unique (domain_id, org_name, report_id)
);
create index dmarc_reports_period on dmarc_reports (domain_id, begins_at);
create index dmarc_reports_received on dmarc_reports (received_at);
create index dmarc_reports_instance on dmarc_reports (instance_id);

-- Messages of one source that were treated alike.
create table dmarc_rows (
  dmarc_report_id bigint not null references dmarc_reports on delete cascade,
  source_ip inet not null,
  header_from text not null check (length(header_from) between 1 and 253),
  disposition text not null check (disposition in ('none', 'quarantine', 'reject')),
  dkim_aligned boolean not null,
  spf_aligned boolean not null,
  messages bigint not null check (messages > 0)
);
create index dmarc_rows_report on dmarc_rows (dmarc_report_id);

-- Mail to postmaster@ and the like that is for people to read. A mailbox keeps its newest messages and forgets the rest.
create table inbound_messages (
  id bigint generated always as identity primary key,
  -- Null: of the platform, for its operator.
  instance_id bigint references instances on delete cascade,
  recipient text not null check (length(recipient) between 1 and 320),
  -- Null is the empty reverse path.
  mail_from text check (length(mail_from) between 1 and 320),
  header_from text not null check (length(header_from) <= 320),
  subject text not null check (length(subject) <= 500),
  remote_ip inet not null,
  -- Of the whole message, of which `raw` is the beginning.
  size_bytes integer not null,
  raw bytea not null,
  received_at timestamptz not null
);
alter table inbound_messages alter column raw set storage external;
create index inbound_messages_instance on inbound_messages (instance_id, id desc);
create index inbound_messages_received on inbound_messages (received_at);
