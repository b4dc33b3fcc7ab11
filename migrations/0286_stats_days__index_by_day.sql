-- migrate: concurrently
-- Old days are deleted by it.
create index concurrently if not exists stats_days_day on stats_days (day);
