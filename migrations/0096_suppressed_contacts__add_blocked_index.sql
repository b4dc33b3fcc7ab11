-- Lists and exports ask whether anybody of the instance is blocked, which hardly anybody is; erased contacts may be many.
create index suppressed_contacts_blocked on suppressed_contacts (instance_id) where kind = 'blocked';
