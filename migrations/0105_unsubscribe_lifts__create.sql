-- An unsubscribe holds for every broadcast. A person who comes back by double opt-in agrees to some purposes only: it is lifted for
-- those, by the consent event that proves it, and holds for the rest.
create table unsubscribe_lifts (
  mail_id uuid not null references unsubscribes (mail_id) on delete cascade,
  consent_purpose_id bigint not null references consent_purposes (id) on delete cascade,
  consent_event_id bigint not null references consent_events (id),
  lifted_at timestamptz not null,
  constraint unsubscribe_lifts_pkey primary key (mail_id, consent_purpose_id)
);
