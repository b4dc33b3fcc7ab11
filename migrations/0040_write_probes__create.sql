-- What /readyz writes to learn whether the database takes mail in. With this fill factor each row of 400 bytes takes a page of
-- its own, so that a write needs space on the disk as the rows of a mail do, at a twentieth of a page of log. Rows are never
-- read, updated or deleted; the table is emptied at 16 MB.
create table write_probes (
  filler text not null
) with (fillfactor = 10, autovacuum_enabled = off);
alter table write_probes alter column filler set storage plain;
