-- A broadcast writes one message to everyone who agreed to a purpose. Its recipients are the audience as it was when the sending
-- began; `position` says how many of them were handed over, and moves in the transaction that stores their mails.
create table broadcasts (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  name text not null check (length(name) between 1 and 255),
  sender_id bigint not null references senders (id),
  template_id bigint not null references mail_templates (id),
  purpose_id bigint not null references consent_purposes (id),
  -- Conditions and exclusions beside the purpose.
  audience jsonb not null check (jsonb_typeof(audience) = 'object' and octet_length(audience::text) <= 1048576),
  -- The `custom_group_code` of its mails: reports are read by it.
  group_code text not null unique,
  schedule_at timestamptz,
  per_hour integer check (per_hour between 1 and 100000000),
  state text not null check (state in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled')),
  -- Why it is paused: by hand, or the code of what refuses its mails.
  paused_by text check (length(paused_by) between 1 and 64),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Of the audience when the sending began: counts by reason.
  audience_left_out jsonb not null default '{}',
  -- Null until the recipients are known.
  recipient_count integer check (recipient_count >= 0),
  position integer not null default 0 check (position >= 0),
  accepted_count integer not null default 0 check (accepted_count >= 0),
  -- Of the recipients: counts by reason. Together with accepted_count they are `position`.
  left_out jsonb not null default '{}',
  -- Mails of a cancelled one are dropped up to here.
  cancelled_to uuid,
  -- When the next step is due; null while there is nothing to do.
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  last_error text check (length(last_error) <= 1000),
  recipients_purged_at timestamptz,
  constraint broadcasts_position_within check (position <= coalesce(recipient_count, 0)),
  constraint broadcasts_paused_why check ((state = 'paused') = (paused_by is not null)),
  constraint broadcasts_started check (state not in ('sending', 'paused', 'sent') or started_at is not null),
  constraint broadcasts_finished check ((state in ('sent', 'cancelled')) = (finished_at is not null))
);
create index broadcasts_listed on broadcasts (instance_id, id desc);
create index broadcasts_due on broadcasts (due_at) where due_at is not null;
create index broadcasts_sender on broadcasts (sender_id);
create index broadcasts_template on broadcasts (template_id);
create index broadcasts_purpose on broadcasts (purpose_id);

-- Each with the consent rule that allowed it: why this person was written to.
create table broadcast_recipients (
  broadcast_id bigint not null references broadcasts (id) on delete cascade,
  position integer not null check (position > 0),
  contact text not null check (length(contact) between 1 and 512),
  rule_id bigint not null,
  -- Why no mail was made for it; null where its mail says what became of it.
  refused text check (length(refused) between 1 and 64),
  constraint broadcast_recipients_pkey primary key (broadcast_id, position)
);
-- For one person: why they were written to, and their requests.
create index broadcast_recipients_of_contact on broadcast_recipients (contact);
