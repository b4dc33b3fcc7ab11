-- Any address of a domain may send, with the settings of one of its senders. Nodes of the release before know the registered ones only.
alter table domains add column any_sender boolean not null default false;
alter table domains add column default_sender_id bigint;
alter table domains add constraint domains_any_sender_has_default check (not any_sender or default_sender_id is not null) not valid;
alter table domains add constraint domains_default_sender_id_fkey foreign key (default_sender_id) references senders (id) not valid;
create index domains_default_sender on domains (default_sender_id) where default_sender_id is not null;
