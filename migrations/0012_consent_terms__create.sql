-- What people are asked to agree to: terms, the purposes they cover, and every text a term has had.

create table consent_terms (
  id bigint generated always as identity primary key,
  instance_id bigint not null references instances,
  name text not null check (length(name) between 1 and 255),
  type text not null check (type in ('data_processing', 'service_terms', 'marketing', 'subscription', 'other')),
  channels text[] not null check (
    cardinality(channels) between 1 and 5 and channels <@ array['mail', 'sms', 'wsp', 'call', 'push']
  ),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Lists walk it, and what belongs to a term can be held to the term's instance.
  constraint consent_terms_of_instance unique (instance_id, id)
);

create table consent_term_purposes (
  term_id bigint not null references consent_terms,
  purpose_id bigint not null references consent_purposes,
  constraint consent_term_purposes_pkey primary key (term_id, purpose_id)
);
create index consent_term_purposes_purpose on consent_term_purposes (purpose_id);

create table consent_term_versions (
  id bigint generated always as identity primary key,
  term_id bigint not null references consent_terms,
  -- A label such as `1.0` or `2026-03`.
  version text not null check (length(version) between 1 and 64),
  body text not null check (octet_length(body) between 1 and 262144),
  document_url text check (length(document_url) <= 2048),
  is_current boolean not null default false,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  constraint consent_term_versions_label_key unique (term_id, version),
  constraint consent_term_versions_of_term unique (term_id, id),
  constraint consent_term_versions_current_is_published check (not is_current or published_at is not null)
);
create unique index consent_term_versions_one_current on consent_term_versions (term_id) where is_current;

-- People agreed to these very words: once published, neither they nor their label ever change or go away.
create function consent_term_version_stays() returns trigger language plpgsql as $$
begin
  if old.published_at is null and tg_op = 'DELETE' then
    return old;
  end if;
  if old.published_at is null then
    return new;
  end if;
  if tg_op = 'UPDATE' and (new.id, new.term_id, new.version, new.body, new.document_url, new.published_at)
      is not distinct from (old.id, old.term_id, old.version, old.body, old.document_url, old.published_at) then
    return new;
  end if;
  raise exception 'version % of consent term % is published and stays as it is', old.version, old.term_id
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger consent_term_versions_stay before update or delete on consent_term_versions
  for each row execute function consent_term_version_stays();

-- The purposes of a term are part of what was agreed to.
create function consent_term_purpose_stays() returns trigger language plpgsql as $$
begin
  raise exception 'the purposes of consent term % stay as they are', old.term_id
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger consent_term_purposes_stay before update or delete on consent_term_purposes
  for each row execute function consent_term_purpose_stays();
