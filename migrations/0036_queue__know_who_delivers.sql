-- Whoever delivers says that it is there. What one that fell silent had under lease goes back in line then, not when
-- the lease runs out, which is as long as the slowest server may take.
create table delivery_nodes (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  seen_at timestamptz not null
);
