-- The purpose that the recipients of a message must have agreed to, where it is not that of the sender: mail of a broadcast. Its
-- unsubscribe link withdraws this purpose. Older nodes write none.
alter table messages add column consent_purpose_id bigint;
