-- As in 0231: a table of its own file, since each file takes its locks together.
-- squawk-ignore renaming-column
alter table webhook_cursor rename column only_row to singleton;
alter table webhook_cursor rename constraint webhook_cursor_only_row_check to webhook_cursor_singleton_check;
