-- Why the last order failed, as one of the causes of failure-cause.ts. Older nodes leave it null.
alter table acme_accounts add column last_cause text check (length(last_cause) <= 100);
