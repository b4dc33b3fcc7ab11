-- Filters of a list that a member of an instance keeps under a name.
create table saved_views (
  id bigint generated always as identity primary key,
  instance_id bigint not null,
  user_id bigint not null,
  -- The list, as the panel calls it.
  list text not null check (length(list) between 1 and 40),
  name text not null check (length(name) between 1 and 60),
  -- Names and values of filters, as the address of the page has them. They name no person.
  search jsonb not null check (length(search::text) <= 20000),
  created_at timestamptz not null,
  -- Who leaves the team leaves them.
  foreign key (instance_id, user_id) references memberships (instance_id, user_id) on delete cascade
);
create unique index saved_views_name on saved_views (instance_id, user_id, list, name);
