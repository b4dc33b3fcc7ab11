-- migrate: concurrently
-- Submissions of one tenant; also for the foreign key.
create index concurrently if not exists form_submissions_instance on form_submissions (instance_id, id);
