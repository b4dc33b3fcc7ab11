-- Opens and clicks of one mail are bounded: beyond 100 rows an hour and kind, a visit only adds to the last row. Other events
-- count for themselves, and so does what a node of an older release writes.
alter table events add column visits integer not null default 1 check (visits > 0);

-- The visits of a mail in an hour. Other events pay nothing for it.
create index events_visits on events (mail_id, event_id) where event in ('opened', 'clicked');
