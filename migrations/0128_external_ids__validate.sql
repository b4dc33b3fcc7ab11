-- Every row was written before the constraints, without a name, or under them.
alter table domains validate constraint domains_external_id_check;
alter table senders validate constraint senders_external_id_check;
alter table mail_templates validate constraint mail_templates_external_id_check;
alter table fields validate constraint fields_external_id_check;
alter table forms validate constraint forms_external_id_check;
alter table consent_purposes validate constraint consent_purposes_external_id_check;
alter table consent_terms validate constraint consent_terms_external_id_check;
alter table webhooks validate constraint webhooks_external_id_check;
alter table api_keys validate constraint api_keys_external_id_check;
alter table smtp_credentials validate constraint smtp_credentials_external_id_check;
