-- The trigger calls the rows before and after an update old_rows and new_rows. Both change in one transaction, under the lock of
-- the table: no update sees the one without the other.
create or replace trigger mails_changed after update on mails
  referencing old table as old_rows new table as new_rows for each statement execute function note_changed();

-- The mails as they are now, less what they were before. A mail that is erased stays where it was counted.
create or replace function note_changed() returns trigger language plpgsql as $$
begin
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, is_test, is_sandbox, sent,
    dropped, deferred, bounced, onhold, opens, unique_opens, clicks, unique_clicks, queued, unopened)
  select * from (
    select instance_id, quarter_of(received_at), sender_id, coalesce(category_id, 0), custom_group_code, test_mode, is_sandbox,
      coalesce(sum(sign) filter (where status = 3), 0) as sent,
      coalesce(sum(sign) filter (where status = 4), 0) as dropped,
      coalesce(sum(sign) filter (where status = 5), 0) as deferred,
      coalesce(sum(sign) filter (where status = 6), 0) as bounced,
      coalesce(sum(sign) filter (where status = 7), 0) as onhold,
      sum(sign * opens) as opens,
      coalesce(sum(sign) filter (where opens > 0), 0) as unique_opens,
      sum(sign * clicks) as clicks,
      coalesce(sum(sign) filter (where clicks > 0), 0) as unique_clicks,
      coalesce(sum(sign) filter (where status = 2), 0) as queued,
      coalesce(sum(sign) filter (where status = 3 and opens = 0), 0) as unopened
    from (
      select 1 as sign, n.*, case when n.recipient = 'erased@erased.invalid'
        then exists (select from old_rows b where b.mail_id = n.mail_id and is_sandbox_address(b.recipient))
        else is_sandbox_address(n.recipient) end as is_sandbox
      from new_rows n
      union all
      select -1, b.*, is_sandbox_address(b.recipient) from old_rows b
    ) as mail
    group by 1, 2, 3, 4, 5, 6, 7
  ) as change
  where (sent, dropped, deferred, bounced, onhold, opens, clicks, queued, unopened) <> (0, 0, 0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;
