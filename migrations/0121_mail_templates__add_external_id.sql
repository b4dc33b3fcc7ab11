-- A name that its owner gives: what is created twice with one is created once. The partial index frees it with the row.

alter table mail_templates add column external_id text;
alter table mail_templates add constraint mail_templates_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index mail_templates_external_id_unique on mail_templates (instance_id, external_id) where external_id is not null and deleted_at is null;

alter table webhooks add column external_id text;
alter table webhooks add constraint webhooks_external_id_check check (external_id ~ '^[A-Za-z0-9._:/-]{1,128}$') not valid;
create unique index webhooks_external_id_unique on webhooks (instance_id, external_id) where external_id is not null;
