-- A key for agents and for trials: what it sends stays inside the sandbox, whatever it is asked to send.
alter table api_keys add column sandbox_only boolean not null default false;
