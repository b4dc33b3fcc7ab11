-- Answers that say nothing but that a person wants no more mail (contract §19), and what became of them.
create table reply_withdrawals (
  received_mail_id uuid primary key references received_mails (id) on delete cascade,
  instance_id bigint not null,
  -- The mail that was answered.
  mail_id uuid not null,
  recipient text not null,
  recipient_key text not null generated always as (lower(recipient collate "und-x-icu")) stored,
  -- What was recognised, in plain letters, and in which language.
  words text not null,
  language text not null,
  -- Whether DMARC passed for the domain in From: what is not is left to a person.
  is_authentic boolean not null,
  state text not null default 'offered',
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  -- The user or key that decided; null for what was recorded by the setting.
  decided_by text,
  constraint reply_withdrawals_state_check check (state in ('offered', 'recorded', 'dismissed')),
  constraint reply_withdrawals_decided check ((state = 'offered') = (decided_at is null)),
  constraint reply_withdrawals_language_check check (language in ('es', 'en', 'pt', 'de'))
);
create index reply_withdrawals_newest on reply_withdrawals (instance_id, received_mail_id desc);
create index reply_withdrawals_offered on reply_withdrawals (instance_id, received_mail_id) where state = 'offered';
create index reply_withdrawals_recipient on reply_withdrawals (instance_id, recipient_key);
