-- Of 0266.
alter table form_submissions validate constraint form_submissions_contact_import_id_fkey;
alter table form_submissions validate constraint form_submissions_form_or_import;
