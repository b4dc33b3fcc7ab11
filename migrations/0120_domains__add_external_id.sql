-- A name that its owner gives: what is created twice with one is created once. The partial index frees it with the row.

alter table domains add column external_id text;
alter table domains add constraint domains_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index domains_external_id_unique on domains (instance_id, external_id) where external_id is not null and deleted_at is null;

alter table senders add column external_id text;
alter table senders add constraint senders_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index senders_external_id_unique on senders (instance_id, external_id) where external_id is not null and deleted_at is null;
