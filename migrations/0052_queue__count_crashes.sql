-- Whether the node that had a mail under way died with it: 1 for the first time, when it had others under way too; one
-- more for each time that it died while it built this mail and none other of its instance.
alter table queue add column crashes smallint not null default 0;
