-- Of the mails that the other tables of statistics count: those to the sandbox, as reports show them. What is left is real mail. Mail of
-- before is counted there only, and stays what it was: all mail. Nothing is written here where nobody uses the sandbox.
create table stats_sandbox_quarters (
  instance_id bigint not null,
  quarter timestamptz not null,
  sender_id bigint not null,
  category_id bigint not null,
  -- Empty where there is none.
  custom_group_code text not null,
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
  primary key (instance_id, quarter, sender_id, category_id, custom_group_code)
) with (fillfactor = 80);
