-- Every row was written before the constraint, without an alias, or under it.
alter table mail_templates validate constraint mail_templates_alias_check;
