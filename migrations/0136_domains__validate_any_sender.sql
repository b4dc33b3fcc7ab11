-- Every row was written before the constraints, without a default sender, or under them.
alter table domains validate constraint domains_any_sender_has_default;
alter table domains validate constraint domains_default_sender_id_fkey;
