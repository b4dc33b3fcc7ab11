-- As in 0231.
-- squawk-ignore renaming-column
alter table mail_subjects_progress rename column only_row to singleton;
alter table mail_subjects_progress rename constraint mail_subjects_progress_only_row_check to mail_subjects_progress_singleton_check;
