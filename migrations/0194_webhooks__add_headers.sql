-- Headers of the customer's own, such as a key of their gateway: encrypted, and their names beside them, which may be shown. Nodes of the
-- version before post without them.
alter table webhooks add column headers bytea;
alter table webhooks add column header_names text[] not null default '{}';
