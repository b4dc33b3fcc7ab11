-- Who issued the certificate: it is replaced at once when another authority is configured, such as the real one after its
-- staging directory. Null: ordered before this was kept.
alter table certificates add column directory text check (length(directory) <= 2000);
