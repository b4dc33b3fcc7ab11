-- What the platform wrote and cannot send, captured for the instance that it is about: such mail has links that sign in, so that its kind
-- says who may read it. Null for mail of the instance itself.
alter table sandbox_messages add column platform_kind text;
