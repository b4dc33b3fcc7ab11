-- Notes for colleagues who answer a request, and which steps of the checklist of its kind are done.
alter table rights_requests add column note text;
alter table rights_requests add column checked text[] not null default '{}';
alter table rights_requests add constraint rights_requests_note_check check (length(note) between 1 and 4000) not valid;
alter table rights_requests add constraint rights_requests_checked_check check (cardinality(checked) <= 20) not valid;
