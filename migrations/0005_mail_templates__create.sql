-- Saved content that mail is sent from. What was edited and what it was made into are both kept.
create table mail_templates (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  name text not null check (length(name) between 1 and 255),
  subject text check (length(subject) between 1 and 254),
  editor text not null check (editor in ('html', 'mjml')),
  source text check (octet_length(source) between 1 and 5242880),
  -- Made from the source when it was saved; sending never renders MJML.
  html text check (octet_length(html) between 1 and 5242880),
  -- Null: the plain-text part is made from the HTML.
  text text check (octet_length(text) between 1 and 5242880),
  is_published boolean not null default false,
  published_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- Whole milliseconds, and later at every change: with the id it names one version of the content.
  updated_at timestamptz not null default date_trunc('milliseconds', now()),
  deleted_at timestamptz,
  constraint mail_templates_source_makes_html check ((source is null) = (html is null)),
  constraint mail_templates_published_when check (is_published = (published_at is not null)),
  constraint mail_templates_published_has_content
    check (not is_published or (subject is not null and html is not null))
);
create index mail_templates_listed on mail_templates (instance_id, id) where deleted_at is null;

-- Insertion too: nodes remember for a while that an id does not exist.
create trigger mail_templates_changed after insert or update or delete on mail_templates
  for each row execute function notify_changed();
