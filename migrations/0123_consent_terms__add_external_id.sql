-- A name that its owner gives: what is created twice with one is created once. The partial index frees it with the row.

alter table consent_purposes add column external_id text;
alter table consent_purposes add constraint consent_purposes_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index consent_purposes_external_id_unique on consent_purposes (instance_id, external_id) where external_id is not null;

alter table consent_terms add column external_id text;
alter table consent_terms add constraint consent_terms_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index consent_terms_external_id_unique on consent_terms (instance_id, external_id) where external_id is not null;
