-- Lanes of the queue that people have stopped: mail of the instance to the destination waits until it is resumed.
create table paused_destinations (
  instance_id bigint not null references instances on delete cascade,
  destination text not null check (length(destination) between 1 and 253),
  paused_at timestamptz not null default now(),
  primary key (instance_id, destination)
);

-- Held mail is in no lane. It is looked for every few seconds and counted in the view of the queue; being rare, its
-- index is small and costs the rest of the queue nothing.
create index queue_held on queue (instance_id, destination) where held_since is not null;
