-- Whether an answer that only asks for no more mail is offered to a person, recorded at once, or ignored.
alter table instances
  add column reply_withdrawal text not null default 'offer',
  add constraint instances_reply_withdrawal_check check (reply_withdrawal in ('offer', 'automatic', 'off'));
