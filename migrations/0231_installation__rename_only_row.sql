-- Tables of one row name the column that says so: singleton. No version of the service reads or writes it by name.
-- squawk-ignore renaming-column
alter table installation rename column only_row to singleton;
alter table installation rename constraint installation_only_row_check to installation_singleton_check;
