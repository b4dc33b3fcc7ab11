-- Every process that claims work reports itself here. A lease begins with the id of its node: what a node held that is
-- gone is released when that is found out, not when the lease expires.
create table nodes (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  -- Kernel and PID namespace, where the system tells them: a node in the same place can see whether a process is there.
  place text,
  pid integer not null,
  -- Ticks since boot at which the process started: a PID is used again.
  process_start text,
  roles text[] not null,
  version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- Of the present claim: the end of a run counts only under the lease it was run under.
alter table jobs add column lease uuid;
