-- Whose form the bodies of a webhook have. Nodes of the version before know ours only, and deliver it.
alter table webhooks add column format text not null default 'chasqui';
alter table webhooks add constraint webhooks_format_check
  check (format in ('chasqui', 'resend', 'postmark', 'sendgrid')) not valid;
