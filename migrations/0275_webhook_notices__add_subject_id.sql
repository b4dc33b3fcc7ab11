-- Of an event about a person: the submission, the consent event or the request. Its body is read from there when it is posted, so that
-- no personal data are stored here. A node of the last release discards these deliveries, as it does those of alerts.
alter table webhook_notices add column subject_id bigint;
