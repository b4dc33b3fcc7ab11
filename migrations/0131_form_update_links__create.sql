-- Links that open a form of type update with what its contact told before. The address of each is proven by the link, which is
-- mailed to it. They are deleted a day after they are over; a used one is kept until then, to say so.
create table form_update_links (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances (id) on delete cascade,
  form_id bigint not null references forms (id) on delete cascade,
  email text not null check (length(email) between 3 and 320),
  email_key text not null generated always as (lower(email collate "und-x-icu")) stored,
  -- Who asked for it.
  address inet,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index form_update_links_of_contact on form_update_links (instance_id, email_key);
create index form_update_links_expired on form_update_links (expires_at);
