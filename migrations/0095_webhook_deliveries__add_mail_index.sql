-- Finds what was told about single mails, to hand it out or to erase it. Only the role `webhooks` writes here, and waits
-- while it is built.
create index webhook_deliveries_mail on webhook_deliveries (mail_id);
