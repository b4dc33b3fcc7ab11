-- As in stats_quarters: what came of mails sent in `test_mode`.
alter table stats_group_quarters
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
