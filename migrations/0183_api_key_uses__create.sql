-- When each key was last used, written once in a while for many requests. Beside the keys: a change of a key makes every node
-- read it again.
create table api_key_uses (
  key_id text primary key references api_keys (id) on delete cascade,
  last_used_at timestamptz not null
);
