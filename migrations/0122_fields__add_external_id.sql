-- A name that its owner gives: what is created twice with one is created once. The partial index frees it with the row.

alter table fields add column external_id text;
alter table fields add constraint fields_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index fields_external_id_unique on fields (instance_id, external_id) where external_id is not null and deleted_at is null;

alter table forms add column external_id text;
alter table forms add constraint forms_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index forms_external_id_unique on forms (instance_id, external_id) where external_id is not null and deleted_at is null;
