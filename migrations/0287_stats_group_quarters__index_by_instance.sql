-- migrate: concurrently
-- Old quarters are deleted, and small groups summed, instance by instance.
create index concurrently if not exists stats_group_quarters_instance on stats_group_quarters (instance_id, quarter);
