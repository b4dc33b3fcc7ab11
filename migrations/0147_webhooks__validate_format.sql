-- The other step of 0146.
alter table webhooks validate constraint webhooks_format_check;
