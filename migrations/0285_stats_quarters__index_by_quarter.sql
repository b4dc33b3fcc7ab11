-- migrate: concurrently
-- Old quarters are deleted by it.
create index concurrently if not exists stats_quarters_quarter on stats_quarters (quarter);
