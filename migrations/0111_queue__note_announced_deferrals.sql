-- When webhooks were last told that the mail was deferred: the first time, then at most once an hour. Nodes of the release before
-- leave it as it is, and announce nothing.
alter table queue add column deferral_announced_at timestamptz;
