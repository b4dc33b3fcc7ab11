-- Who agreed to what, when and how: evidence that is only ever added to. Each row is linked to the one before it by its
-- hash, so that a row that was altered, taken out, put in or moved is found (src/consent/verify-chain.ts).

-- Where each instance's chain ends. Whoever adds to the chain holds this row, and so the instance's additions have one
-- order; nothing else ever waits for it.
create table consent_chains (
  instance_id bigint primary key references instances,
  sequence bigint not null default 0 check (sequence >= 0),
  hash bytea not null default decode(repeat('00', 32), 'hex') check (length(hash) = 32)
);

create table consent_events (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances,
  term_id bigint not null,
  -- The exact version that was agreed to, whatever the term publishes later, and the SHA-256 of its text in UTF-8.
  term_version_id bigint not null,
  text_hash bytea not null check (length(text_hash) = 32),
  -- When it was recorded. What becomes of a pending one is a row of consent_event_outcomes.
  status text not null check (status in ('confirmed', 'pending')),
  method text not null check (method in ('single_opt_in', 'double_opt_in')),
  source text not null check (source in ('form', 'api', 'import', 'system')),
  -- Who told us and from where: strings alone, so that their canonical form is never in doubt.
  evidence jsonb not null check (jsonb_typeof(evidence) = 'object' and octet_length(evidence::text) <= 8192),
  -- Moments are hashed as milliseconds: a finer part could be altered unseen.
  created_at timestamptz not null check (created_at = date_trunc('milliseconds', created_at)),
  sequence bigint not null check (sequence > 0),
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  constraint consent_events_sequence_key unique (instance_id, sequence),
  constraint consent_events_term_fkey foreign key (instance_id, term_id) references consent_terms (instance_id, id),
  constraint consent_events_version_fkey foreign key (term_id, term_version_id)
    references consent_term_versions (term_id, id)
);
create index consent_events_listed on consent_events (instance_id, id);
create index consent_events_of_term on consent_events (term_id, id);
create index consent_events_created on consent_events (instance_id, created_at);
create index consent_events_pending on consent_events (instance_id, id) where status = 'pending';

create table consent_rules (
  id bigint generated always as identity primary key,
  event_id bigint not null references consent_events,
  -- What the verdict asks for stands in the rule itself, so that one index answers it. Events never change, so that
  -- what is repeated here never differs.
  instance_id bigint not null,
  term_id bigint not null,
  is_confirmed boolean not null,
  channel text not null check (channel in ('mail', 'sms', 'wsp', 'call', 'push')),
  contact_type text not null check (contact_type in ('email_address', 'phone_number', 'uniquecode')),
  contact text not null check (length(contact) between 1 and 512),
  purpose_id bigint not null,
  action text not null check (action in ('allow', 'deny')),
  created_at timestamptz not null check (created_at = date_trunc('milliseconds', created_at)),
  constraint consent_rules_one_per_pair unique (event_id, channel, purpose_id),
  constraint consent_rules_purpose_fkey foreign key (term_id, purpose_id)
    references consent_term_purposes (term_id, purpose_id)
);
create index consent_rules_contact on consent_rules (instance_id, contact, purpose_id, channel);

-- What became of an event that waited for its confirmation; one that still waits has no row.
create table consent_event_outcomes (
  event_id bigint primary key references consent_events,
  instance_id bigint not null references instances,
  status text not null check (status in ('confirmed', 'expired')),
  at timestamptz not null check (at = date_trunc('milliseconds', at)),
  evidence jsonb not null check (jsonb_typeof(evidence) = 'object' and octet_length(evidence::text) <= 8192),
  sequence bigint not null check (sequence > 0),
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  constraint consent_event_outcomes_sequence_key unique (instance_id, sequence)
);

create function consent_evidence_stays() returns trigger language plpgsql as $$
begin
  raise exception '% is evidence: rows are added, never changed or taken away', tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create trigger consent_events_stay before update or delete or truncate on consent_events
  for each statement execute function consent_evidence_stays();
create trigger consent_rules_stay before update or delete or truncate on consent_rules
  for each statement execute function consent_evidence_stays();
create trigger consent_event_outcomes_stay before update or delete or truncate on consent_event_outcomes
  for each statement execute function consent_evidence_stays();
-- Also for a session that calls itself a replica, in which other triggers are silent.
alter table consent_events enable always trigger consent_events_stay;
alter table consent_rules enable always trigger consent_rules_stay;
alter table consent_event_outcomes enable always trigger consent_event_outcomes_stay;
