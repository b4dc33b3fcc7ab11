-- What code calls a template, in place of its id: the same in every instance that has a copy. The partial index frees it with the row.
alter table mail_templates add column alias text;
alter table mail_templates add constraint mail_templates_alias_check check (alias ~ '^[A-Za-z][A-Za-z0-9._-]{0,63}$') not valid;
create unique index mail_templates_alias_unique on mail_templates (instance_id, alias) where alias is not null and deleted_at is null;
