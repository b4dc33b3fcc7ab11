-- Figures that one node computes and all nodes serve, such as the depth of the queue.
create table measurements (
  name text primary key,
  -- Null while the first measurement is under way.
  measured_at timestamptz,
  took_ms bigint,
  figures jsonb,
  -- A node that measures has until then; another one takes over after it.
  claimed_until timestamptz
);
