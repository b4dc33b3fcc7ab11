-- What came of mails sent in `test_mode`. The other counters have all mails, since lists find their pages by them; reports leave
-- tests out, and subtract these. Rows of the time before have 0: their tests stay counted as they were.
alter table stats_quarters
  add column test_received integer not null default 0,
  add column test_sent integer not null default 0,
  add column test_dropped integer not null default 0,
  add column test_deferred integer not null default 0,
  add column test_bounced integer not null default 0,
  add column test_onhold integer not null default 0,
  add column test_opens integer not null default 0,
  add column test_unique_opens integer not null default 0,
  add column test_clicks integer not null default 0,
  add column test_unique_clicks integer not null default 0,
  add column test_unsubscribes integer not null default 0,
  add column test_complaints integer not null default 0;
