-- What was accepted: one message per send, one mail per recipient. Both are partitioned by their identifier: it is a
-- UUIDv7, so the identifier alone tells the month, ranges of time are ranges of identifiers, and old months are
-- dropped whole.

-- The smallest UUIDv7 of a moment: the bound of a partition or of a range of time.
create function uuid_at(moment timestamptz) returns uuid language sql immutable strict parallel safe
  return (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;

create table categories (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 255),
  created_at timestamptz not null default now(),
  constraint categories_slug_unique unique (instance_id, slug)
);

create table messages (
  msg_id uuid not null primary key,
  instance_id bigint not null,
  sender_id bigint not null,
  category_id bigint,
  template_id bigint,
  source text not null check (source in ('http', 'smtp', 'form')),
  stream text not null check (stream in ('transactional', 'broadcast')),
  test_mode boolean not null,
  rcpt_count smallint not null,
  -- Octets of the assembled message.
  size_bytes integer not null,
  -- How the content is kept: `parts` as given, `liquid` with placeholders to fill in per recipient, `raw` as a whole
  -- MIME message that must not be rebuilt.
  content_kind text not null check (content_kind in ('parts', 'liquid', 'raw')),
  -- From, To, Cc, Reply-To, subject and custom headers as the message shows them.
  envelope jsonb not null,
  html bytea,
  text bytea,
  raw bytea,
  constraint messages_content check ((content_kind = 'raw') = (raw is not null))
) partition by range (msg_id);
-- Content is written once and read whole: compressing it would cost the write path more than it saves.
alter table messages alter column html set storage external;
alter table messages alter column text set storage external;
alter table messages alter column raw set storage external;

create table message_attachments (
  msg_id uuid not null,
  position smallint not null,
  type text not null,
  filename text not null,
  content bytea not null,
  primary key (msg_id, position)
) partition by range (msg_id);
alter table message_attachments alter column content set storage external;

create table mails (
  mail_id uuid not null primary key,
  msg_id uuid not null,
  instance_id bigint not null,
  -- 1 received, 2 queued, 3 sent, 4 dropped, 5 deferred, 6 bounced, 7 onhold.
  status smallint not null check (status between 1 and 7),
  recipient text not null,
  recipient_name text,
  recipient_kind text not null check (recipient_kind in ('to', 'cc', 'bcc')),
  sender_id bigint not null,
  sender_email text not null,
  subject text not null,
  test_mode boolean not null,
  category_id bigint,
  custom_msg_id text,
  custom_group_code text,
  received_at timestamptz not null,
  queued_at timestamptz,
  sent_at timestamptz,
  opens integer not null default 0,
  clicks integer not null default 0
) partition by range (mail_id);
create index mails_message on mails (msg_id);

-- When to try what next. A row lives from acceptance to the final outcome.
create table queue (
  mail_id uuid primary key,
  msg_id uuid not null,
  instance_id bigint not null,
  -- The domain of the recipient: mail is claimed, limited and paused by it.
  destination text not null,
  -- 0 transactional, 1 broadcast: the lower is tried first.
  priority smallint not null,
  -- When it may be claimed. A claim moves it to the end of its lease: what a dead node held comes back by itself.
  due_at timestamptz not null,
  attempts smallint not null default 0,
  -- Of the present claim: an outcome counts only under the lease it was made under.
  lease uuid,
  -- Set while the mail must not be tried: the sender's domain lost its verification, the instance is disabled.
  held_since timestamptz,
  last_error text
);
-- Mail is claimed lane by lane, so that no instance and no destination waits behind another.
create index queue_lanes on queue (priority, instance_id, destination, due_at) where held_since is null;

-- Append-only: what happened to each mail after it was accepted. The reception itself is the mail's own row.
create table events (
  event_id uuid not null primary key,
  mail_id uuid not null,
  msg_id uuid not null,
  instance_id bigint not null,
  at timestamptz not null,
  event text not null,
  status smallint,
  reason text,
  data jsonb
) partition by range (event_id);
create index events_mail on events (mail_id);

-- Recipients sent to in a plan period, per instance.
create table plan_usage (
  instance_id bigint not null references instances on delete cascade,
  period date not null,
  used bigint not null default 0,
  primary key (instance_id, period)
);

-- Token buckets shared by all nodes, which lease from them in larger pieces than they spend.
create table rate_buckets (
  key text primary key,
  tokens double precision not null,
  refilled_at timestamptz not null
);

-- Makes the monthly partitions from last month to `months_ahead` from now; those that exist stay as they are.
create function ensure_partitions(months_ahead integer) returns integer language plpgsql as $$
declare
  parent text;
  month timestamptz;
  made integer := 0;
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('chasqui partitions'));
  foreach parent in array array['messages', 'message_attachments', 'mails', 'events'] loop
    for step in -1 .. months_ahead loop
      month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => step)) at time zone 'UTC';
      partition_name := parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM');
      if to_regclass(partition_name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', partition_name, parent,
          uuid_at(month), uuid_at((month at time zone 'UTC' + interval '1 month') at time zone 'UTC'));
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

select ensure_partitions(3);

alter table instances
  add column requests_per_second integer not null default 100 check (requests_per_second >= 0),
  add column requests_burst integer not null default 200 check (requests_burst >= 0),
  add column smtp_messages_per_second integer not null default 50 check (smtp_messages_per_second >= 0);

create index mails_instance on mails (instance_id, mail_id desc);

-- Refills a bucket and takes tokens from it: `wanted` when there are as many, else what is there when that is at least
-- `needed`, else nothing. Tells what was granted and what is left.
create function lease_tokens(bucket text, rate double precision, burst double precision,
  needed double precision, wanted double precision, out granted double precision, out available double precision)
language plpgsql as $$
declare
  moment timestamptz := clock_timestamp();
begin
  insert into rate_buckets (key, tokens, refilled_at) values (bucket, burst, moment) on conflict (key) do nothing;
  select least(burst, tokens + greatest(0, extract(epoch from moment - refilled_at)) * rate) into available
    from rate_buckets where key = bucket for update;
  granted := case when available >= wanted then wanted when available >= needed then available else 0 end;
  available := available - granted;
  update rate_buckets set tokens = available, refilled_at = greatest(refilled_at, moment) where key = bucket;
end $$;
