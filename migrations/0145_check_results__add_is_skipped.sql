-- A check that does not apply is neither in order nor out of order. Nodes of the version before write no value.
alter table check_results add column is_skipped boolean not null default false;
