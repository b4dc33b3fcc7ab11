-- The instance that the platform's own mail belongs to: nobody's, and at most one.

alter table instances add column is_platform boolean not null default false;
create unique index instances_one_platform on instances (is_platform) where is_platform;
