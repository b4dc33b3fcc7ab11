-- Totals are counted in the index alone, without a look at the mails or events themselves, which lie far apart: 1,100 mails of
-- recipients that begin alike took 10 ms and take 1, 10,000 bounces took 14 and take 2.

-- The expression of an index is read from it only where its column is in it too. Price: 1.5 µs of 30 per mail that is written.
drop index mails_recipient;
create index mails_recipient
  on mails (instance_id, (lower(recipient collate "und-x-icu") collate "C"), mail_id desc) include (recipient);

-- An event is listed only while its mail is kept, which the mail's identifier tells.
drop index events_opened;
drop index events_clicked;
drop index events_bounced;
create index events_opened on events (instance_id, event_id desc) include (mail_id) where event = 'opened';
create index events_clicked on events (instance_id, event_id desc) include (mail_id) where event = 'clicked';
create index events_bounced on events (instance_id, event_id desc) include (mail_id) where event = 'bounced';

-- What is known about recipients went with the old index, and months that are over would never be looked at again.
analyze mails;
