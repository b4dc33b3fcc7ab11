-- Until when the statistics of small groups were summed: a customer may give each mail a group of its own, and statistics are kept for
-- longer than mail.
create table stats_group_progress (
  instance_id bigint primary key references instances (id) on delete cascade,
  summed_to timestamptz not null
);
