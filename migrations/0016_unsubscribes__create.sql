-- Who asked not to be written to, and who complained. Both outlive the mail that they came by: what their lists show of it
-- is kept here.

-- Addresses are the same in either case, in letters beyond ASCII too, which `lower` of the collation C leaves alone. The
-- key is sorted by bytes all the same: only the mapping of letters is ICU's, and that does not change.
delete from restrictions r using restrictions older
where older.instance_id = r.instance_id and older.id < r.id
  and lower(older.recipient collate "und-x-icu") = lower(r.recipient collate "und-x-icu");
drop index restrictions_recipient_unique;
alter table restrictions
  add column recipient_key text not null generated always as (lower(recipient collate "und-x-icu")) stored;
create unique index restrictions_recipient_unique on restrictions (instance_id, recipient_key);
create index restrictions_newest on restrictions (instance_id, id desc);

create table unsubscribes (
  mail_id uuid primary key,
  msg_id uuid not null,
  instance_id bigint not null references instances on delete cascade,
  sender_id bigint not null,
  sender text not null,
  recipient text not null,
  recipient_key text not null generated always as (lower(recipient collate "und-x-icu")) stored,
  method text not null check (method in ('one_click', 'page', 'mailto')),
  reason text check (length(reason) between 1 and 500),
  -- The purpose of the sender at that time, consent to which was withdrawn with it.
  consent_purpose_id bigint references consent_purposes on delete set null,
  sent_at timestamptz,
  unsubscribed_at timestamptz not null,
  -- While it is null, no broadcast of the instance reaches the recipient.
  resubscribed_at timestamptz
);
create index unsubscribes_standing on unsubscribes (instance_id, recipient_key) where resubscribed_at is null;
create index unsubscribes_newest on unsubscribes (instance_id, unsubscribed_at desc, mail_id desc);

create table complaints (
  mail_id uuid primary key,
  msg_id uuid not null,
  instance_id bigint not null references instances on delete cascade,
  sender_id bigint not null,
  sender text not null,
  recipient text not null,
  recipient_key text not null generated always as (lower(recipient collate "und-x-icu")) stored,
  type text not null check (type in ('unknown', 'adult_content', 'violent_or_illegal', 'spam', 'phishing_or_malware',
    'fraud', 'intellectual_property', 'other')),
  comment text check (length(comment) between 1 and 2000),
  sent_at timestamptz,
  complained_at timestamptz not null
);
create index complaints_newest on complaints (instance_id, complained_at desc, mail_id desc);
