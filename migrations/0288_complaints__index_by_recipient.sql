-- migrate: concurrently
-- Complaints about mail to a person, and about a tenant's mail.
create index concurrently if not exists complaints_recipient on complaints (instance_id, recipient_key);
