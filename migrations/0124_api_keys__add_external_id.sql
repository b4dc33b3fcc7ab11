-- A name that its owner gives: what is created twice with one is created once. The partial index frees it with the row.

alter table api_keys add column external_id text;
alter table api_keys add constraint api_keys_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index api_keys_external_id_unique on api_keys (instance_id, external_id) where external_id is not null and revoked_at is null;

alter table smtp_credentials add column external_id text;
alter table smtp_credentials add constraint smtp_credentials_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index smtp_credentials_external_id_unique on smtp_credentials (instance_id, external_id) where external_id is not null and revoked_at is null;
