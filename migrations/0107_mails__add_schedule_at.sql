-- When a mail is to be sent that was scheduled; null for one that was sent at once. Nodes of the release before leave it null.
alter table mails add column schedule_at timestamptz;
