-- migrate: concurrently
-- For the foreign key: without it, removing a purpose reads every unsubscribe.
create index concurrently if not exists unsubscribes_purpose on unsubscribes (consent_purpose_id) where consent_purpose_id is not null;
