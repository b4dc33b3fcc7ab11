-- Endpoints of customers that are told of events, and the delivery of each event to each of them.

create table webhooks (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  name text not null check (length(name) between 1 and 255),
  url text not null check (length(url) between 1 and 2048),
  -- Null: every type.
  events text[],
  is_active boolean not null,
  -- Events from before it are not for this webhook: it did not exist or was paused.
  active_since timestamptz not null,
  -- Deliveries that fall due after it are discarded; null while active.
  paused_at timestamptz,
  -- AES-256-GCM with a key derived from the root secret.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_status_code smallint,
  consecutive_failures integer not null default 0,
  -- The first failure after the last success.
  failing_since timestamptz,
  -- Attempts that began before it say nothing about the present configuration.
  counted_since timestamptz not null,
  auto_paused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhooks_paused check (is_active = (paused_at is null)),
  constraint webhooks_previous_secret check ((previous_secret is null) = (previous_secret_expires_at is null))
) with (fillfactor = 50);
create index webhooks_instance on webhooks (instance_id, id);
create index webhooks_active on webhooks (instance_id) where is_active;

-- Counters are written with every batch of deliveries and concern no cache.
create trigger webhooks_changed after insert or delete or update of url, events, is_active, secret, previous_secret
  on webhooks for each row execute function notify_changed();

-- One row for each event and webhook. It has no reference to its webhook, so that deleting one with a million deliveries
-- takes no longer than another; what is left is cleared away in the background, 30 days at the latest.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null,
  instance_id bigint not null,
  event_id uuid not null,
  mail_id uuid not null,
  type text not null,
  event_at timestamptz not null,
  created_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'discarded')),
  -- When it is to be tried; null once it is over.
  due_at timestamptz,
  -- Since it was made or last replayed, the one under way included.
  attempts smallint not null default 0,
  -- Of the present claim. Claiming changes no indexed column, so it costs no index entry.
  lease uuid,
  leased_until timestamptz,
  last_attempt_at timestamptz,
  last_status_code smallint,
  last_error text,
  replayed_at timestamptz,
  -- The last attempts, oldest first.
  log jsonb not null default '[]',
  constraint webhook_deliveries_pending check ((state = 'pending') = (due_at is not null))
) with (fillfactor = 80);
-- Deliveries are claimed webhook by webhook, so that none waits behind another.
create index webhook_deliveries_lanes on webhook_deliveries (webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_unsuccessful on webhook_deliveries (webhook_id, id desc)
  where state in ('failed', 'discarded');

-- Transactions do not commit in the order of their identifiers or times. What tells whether an event can still be
-- followed by an earlier one is the transaction that wrote it: below the oldest one that is still running, all is there.
alter table events add column txid xid8 not null default pg_current_xact_id();
create index events_for_webhooks on events (txid, event_id)
  where event in ('sent', 'bounced', 'dropped', 'opened', 'clicked', 'unsubscribed', 'resubscribed', 'complained');

-- Up to which event deliveries have been made; one row.
create table webhook_cursor (
  only_row boolean primary key default true check (only_row),
  txid xid8 not null,
  event_id uuid not null
);
insert into webhook_cursor (txid, event_id)
  values (pg_current_xact_id(), 'ffffffff-ffff-ffff-ffff-ffffffffffff');

-- Wakes whoever makes deliveries, once for a statement of any size, when there is anybody to tell of events.
create function notify_webhooks() returns trigger language plpgsql as $$
begin
  if exists (select from webhooks where is_active) then
    perform pg_notify('chasqui_events', '');
  end if;
  return null;
end $$;
create trigger events_added after insert on events for each statement execute function notify_webhooks();
