-- The other step of 0190.
alter table rights_requests validate constraint rights_requests_note_check;
alter table rights_requests validate constraint rights_requests_checked_check;
