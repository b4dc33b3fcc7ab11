-- What an import says about a contact is kept where forms keep it, so that it is shown, exported and erased with it. Such a row has
-- an import in place of a form.
alter table form_submissions add column contact_import_id bigint;
alter table form_submissions add constraint form_submissions_contact_import_id_fkey
  foreign key (contact_import_id) references contact_imports (id) on delete cascade not valid;
alter table form_submissions alter column form_id drop not null;
alter table form_submissions add constraint form_submissions_form_or_import
  check ((form_id is null) <> (contact_import_id is null)) not valid;
-- squawk-ignore require-concurrent-index-creation -- No row matches it yet.
create index form_submissions_imported on form_submissions (instance_id, id) where contact_import_id is not null;
