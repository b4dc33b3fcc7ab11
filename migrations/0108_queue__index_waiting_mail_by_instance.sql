-- Many scheduled mails of one instance can fall due in the same second. This index finds the waiting mail of the other
-- instances meanwhile. Leased mail is not in it, so mail that is delivered at its first attempt pays nothing for it.
create index queue_waiting_by_instance on queue (instance_id, priority, due_at)
  where ready_priority is null and held_since is null and lease is null;
