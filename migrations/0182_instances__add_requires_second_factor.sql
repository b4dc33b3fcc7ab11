-- Whether members need a second factor before anything else of the instance. Keys of programs are not affected.
alter table instances add column requires_second_factor boolean not null default false;
