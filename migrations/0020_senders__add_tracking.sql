-- Whether mail of a sender tells of being opened and of its links being followed.
alter table senders
  add column track_opens boolean not null default true,
  add column track_clicks boolean not null default true;
