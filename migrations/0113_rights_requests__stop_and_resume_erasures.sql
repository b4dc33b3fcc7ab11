-- Where an erasure stands, so that it goes on after a pause; how it fared; and that it was stopped, by whom or why.
alter table rights_requests
  add column erasure_position jsonb,
  -- Walks that ended with mail that waits for its delivery.
  add column erasure_walks integer not null default 0,
  -- In a row.
  add column erasure_failures integer not null default 0,
  add column erasure_worked_ms bigint not null default 0,
  add column erasure_next_at timestamptz,
  -- Step and code of the last failure; no words of it, which may name the person.
  add column erasure_error text,
  add column stopped_at timestamptz,
  add column stop_reason text;
alter table rights_requests
  add constraint rights_requests_erasure_error check (length(erasure_error) between 1 and 200) not valid,
  add constraint rights_requests_stop_reason check (stop_reason in ('cancelled', 'failing', 'no_end')) not valid,
  add constraint rights_requests_stopped check ((stopped_at is null) = (stop_reason is null)) not valid;
