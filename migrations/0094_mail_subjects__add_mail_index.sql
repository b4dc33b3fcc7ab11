-- Erases subjects of single mails. Rows are added in the order of their mails, so block ranges find them: a B-tree would
-- cost as much as the rows themselves. Only the job `subjects` writes here, and waits while it is built.
create index mail_subjects_mail on mail_subjects using brin (mail_id) with (pages_per_range = 16, autosummarize = on);
