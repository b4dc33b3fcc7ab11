-- Forms that people fill in, what they are made of, and what was submitted through them.

create table forms (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  name text not null check (length(name) between 1 and 255),
  kind text not null check (kind in ('consent', 'advanced')),
  type text not null check (type in ('registration', 'update')),
  -- Names the form in its public URL: whoever has not been given it cannot guess it.
  public_token text not null constraint forms_public_token_key unique check (public_token ~ '^[A-Za-z0-9_-]{43}$'),
  is_default boolean not null default false,
  is_active boolean not null default true,
  -- Double opt-in: what was submitted counts once it was confirmed from the address that was given.
  requires_confirmation boolean not null default false,
  auto_reply_sender_id bigint references senders,
  settings jsonb check (jsonb_typeof(settings) = 'object' and octet_length(settings::text) <= 131072),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint forms_confirmation_has_sender check (not requires_confirmation or auto_reply_sender_id is not null)
);
create index forms_listed on forms (instance_id, id) where deleted_at is null;
create unique index forms_one_default on forms (instance_id, kind) where is_default and deleted_at is null;

create table form_items (
  id bigint generated always as identity primary key,
  form_id bigint not null references forms on delete cascade,
  kind text not null check (kind in ('field', 'consent', 'divider', 'text')),
  field_id bigint references fields,
  term_id bigint references consent_terms,
  label text check (length(label) between 1 and 1000),
  content text check (length(content) between 1 and 10000),
  is_required boolean not null default false,
  sort_order integer not null check (sort_order > 0),
  width text not null default 'full' check (width in ('full', 'half')),
  constraint form_items_in_order unique (form_id, sort_order),
  constraint form_items_field_once unique (form_id, field_id),
  constraint form_items_term_once unique (form_id, term_id),
  constraint form_items_field check ((kind = 'field') = (field_id is not null)),
  constraint form_items_term check ((kind = 'consent') = (term_id is not null)),
  constraint form_items_text check ((kind = 'text') = (content is not null))
);
create index form_items_of_field on form_items (field_id);

-- Answers stay as they were given, whatever becomes of the form: keys are reserved forever, options are kept by value.
create table form_submissions (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances on delete cascade,
  form_id bigint not null references forms on delete cascade,
  status text not null check (status in ('pending', 'confirmed', 'expired')),
  answers jsonb not null check (jsonb_typeof(answers) = 'object' and octet_length(answers::text) <= 1048576),
  consent_event_ids bigint[] not null default '{}',
  address inet,
  user_agent text check (length(user_agent) <= 1000),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- Until when a pending one can be confirmed.
  expires_at timestamptz,
  constraint form_submissions_confirmed_when check ((status = 'confirmed') = (confirmed_at is not null)),
  constraint form_submissions_pending_until check (status <> 'pending' or expires_at is not null)
);
create index form_submissions_listed on form_submissions (form_id, id);
create index form_submissions_created on form_submissions (form_id, created_at);
create index form_submissions_pending on form_submissions (expires_at) where status = 'pending';
