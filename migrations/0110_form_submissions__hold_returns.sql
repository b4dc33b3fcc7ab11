-- What a person who was erased agrees to becomes evidence, which nobody can take away, once they confirm that it was them. Until then it
-- is held here, with their contacts, and goes with the submission. Not null: a return that waits, or that is being erased.
alter table form_submissions add column held jsonb;
alter table form_submissions add constraint form_submissions_held_check
  check (jsonb_typeof(held) = 'object' and octet_length(held::text) <= 1048576) not valid;
-- Few, and looked for every minute.
create index form_submissions_held on form_submissions (id) where held is not null;
