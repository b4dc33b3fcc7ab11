-- Whether somebody of the instance has opened a captured message. Null: not yet.
alter table sandbox_messages add column read_at timestamptz;
