-- Work that has to be done now and then, once in the whole installation, whichever node does it.
create table jobs (
  name text primary key,
  next_run_at timestamptz not null,
  -- While a node is at it. A claim that was never given up, because its node died, is over by itself.
  claimed_until timestamptz,
  last_run_at timestamptz,
  last_success_at timestamptz,
  last_duration_ms integer,
  -- Of the last run; null when it went well.
  last_error text,
  -- What the last run did, for people.
  last_result text
);
