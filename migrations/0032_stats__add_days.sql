-- Statistics by whole days of UTC as well: the list of mails looks for its page among the days first, 90 rows in three months
-- where there are 8,640 quarters. Role jobs adds to both in the same statement.
create table stats_days (
  instance_id bigint not null,
  is_detail boolean not null,
  sender_id bigint not null,
  category_id bigint not null,
  day timestamptz not null,
  received integer not null,
  sent integer not null,
  dropped integer not null,
  deferred integer not null,
  bounced integer not null,
  onhold integer not null,
  test integer not null,
  opens integer not null,
  unique_opens integer not null,
  clicks integer not null,
  unique_clicks integer not null,
  unsubscribes integer not null,
  complaints integer not null,
  queued integer not null,
  unopened integer not null,
  primary key (instance_id, is_detail, sender_id, category_id, day)
);

create function day_of(moment timestamptz) returns timestamptz language sql immutable strict parallel safe
  return date_bin('1 day', moment, timestamptz '2000-01-01 00:00:00+00');

insert into stats_days
select instance_id, is_detail, sender_id, category_id, day_of(quarter), sum(received), sum(sent), sum(dropped),
  sum(deferred), sum(bounced), sum(onhold), sum(test), sum(opens), sum(unique_opens), sum(clicks), sum(unique_clicks),
  sum(unsubscribes), sum(complaints), sum(queued), sum(unopened)
from stats_quarters group by 1, 2, 3, 4, 5;
