-- Constraints of 0112, which old rows keep: the columns are new.
alter table rights_requests validate constraint rights_requests_erasure_error;
alter table rights_requests validate constraint rights_requests_stop_reason;
alter table rights_requests validate constraint rights_requests_stopped;
