-- Where a job goes on that used up the time of its run. Nodes of the version before leave it as it is.
alter table jobs add column position text;
