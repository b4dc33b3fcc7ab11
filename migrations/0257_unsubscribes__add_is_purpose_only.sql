-- An unsubscribe by the link of a broadcast is from the purpose of that broadcast, `consent_purpose_id`; others are from all
-- broadcasts of the instance.
alter table unsubscribes add column is_purpose_only boolean not null default false;
