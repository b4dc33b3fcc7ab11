-- Receipts of acts that have to be provable, in the same hash chain as the consent evidence. They name no person:
-- contacts are keyed hashes.
create table consent_receipts (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances,
  -- What it is about, and what was done: `rights_request`, its id, `received`.
  subject text not null check (length(subject) between 1 and 64),
  subject_id bigint not null,
  step text not null check (length(step) between 1 and 64),
  content jsonb not null check (jsonb_typeof(content) = 'object' and octet_length(content::text) <= 16384),
  at timestamptz not null check (at = date_trunc('milliseconds', at)),
  sequence bigint not null check (sequence > 0),
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  constraint consent_receipts_sequence_key unique (instance_id, sequence)
);
create index consent_receipts_subject on consent_receipts (instance_id, subject, subject_id, id);
create trigger consent_receipts_stay before delete or update or truncate on consent_receipts
  for each statement execute function consent_evidence_stays();
alter table consent_receipts enable always trigger consent_receipts_stay;

-- Evidence about a person who was erased. It stays, as proof, and is read through a rights request alone: lists, exports
-- and verdicts leave out what has a row here.
create table consent_seals (
  event_id bigint primary key references consent_events,
  instance_id bigint not null references instances,
  request_id bigint not null,
  sealed_at timestamptz not null
);
create index consent_seals_instance on consent_seals (instance_id, event_id);
