-- The person opens their archive by the link of a mail and a code of another mail. The code is kept as its hash, with the time that it
-- works until and how often a wrong one was given.
alter table rights_requests
  add column archive_mailed_at timestamptz,
  add column archive_code_hash bytea,
  add column archive_code_until timestamptz,
  add column archive_code_tries smallint not null default 0;
