-- Names and values that a send was given, as an object; null for none. Nodes of the release before leave it null.
alter table mails add column tags jsonb;
