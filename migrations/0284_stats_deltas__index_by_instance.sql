-- migrate: concurrently
-- Readers sum the changes of one instance that are not aggregated yet; without it, those of all.
create index concurrently if not exists stats_deltas_instance on stats_deltas (instance_id, quarter);
