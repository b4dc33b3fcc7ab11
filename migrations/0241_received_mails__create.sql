-- Mail that came in for a route. The source is stored whole and committed before the sending server gets its 250; what is read of it
-- is filled in later, and again when it is parsed again. Recipients of one transaction share a source within their instance.
create table received_sources (
  id uuid primary key,
  instance_id bigint not null,
  raw bytea not null,
  received_at timestamptz not null
);
-- Not compressed: attachments are read as ranges of it.
alter table received_sources alter column raw set storage external;

create table received_mails (
  -- UUIDv7, of the time of receipt; the identifier of its event too.
  id uuid primary key,
  instance_id bigint not null,
  source_id uuid not null references received_sources (id),
  domain_id bigint not null,
  -- The route that took it and what the route said then; both stay when the route goes.
  route_id bigint,
  action text not null,
  is_sandbox boolean not null default false,
  -- The envelope and the session.
  mail_from text,
  recipient text not null,
  tag text,
  helo text not null,
  remote_ip inet,
  tls text,
  size_bytes integer not null,
  received_at timestamptz not null,
  read_at timestamptz,
  -- The work of parsing: due until it is parsed or failed; while it is leased, due when the lease ends.
  state text not null default 'pending',
  parse_due_at timestamptz,
  parse_attempts smallint not null default 0,
  parse_lease uuid,
  parse_error text,
  parsed_at timestamptz,
  -- The release of the parser that read it.
  parser_version smallint,
  -- When its event was given to webhooks: once, however often it is parsed.
  announced_at timestamptz,
  -- What was read.
  subject text,
  from_address text,
  from_name text,
  -- { from, to, cc, reply_to }: lists of { email, name }.
  addresses jsonb,
  -- Lists of [name, value].
  headers jsonb,
  message_id text,
  in_reply_to text,
  reference_ids text[],
  sent_at timestamptz,
  text text,
  html text,
  is_truncated boolean not null default false,
  -- SPF, DKIM, DMARC and ARC, as facts with their domains.
  authentication jsonb,
  -- Signs of lists, programs and loops.
  automation jsonb,
  spam_score real,
  -- The comparison keys of everybody that its envelope and header name, for privacy requests.
  contacts text[] not null default '{}',
  -- The text without what it quotes, how sure that is, and the sent mail that it answers.
  text_reply text,
  text_reply_confidence real,
  in_reply_to_mail_id uuid,
  constraint received_mails_action_check check (action in ('webhook', 'forward', 'store')),
  constraint received_mails_state_check check (state in ('pending', 'parsed', 'failed')),
  constraint received_mails_pending check ((state = 'pending') = (parse_due_at is not null)),
  constraint received_mails_confidence_check check (text_reply_confidence between 0 and 1)
);
create index received_mails_newest on received_mails (instance_id, id desc);
create index received_mails_source on received_mails (source_id);
create index received_mails_lanes on received_mails (instance_id, parse_due_at) where parse_due_at is not null;
create index received_mails_contacts on received_mails using gin (contacts);
create index received_mails_answers on received_mails (in_reply_to_mail_id) where in_reply_to_mail_id is not null;

-- Where each file of a received mail is in its source.
create table received_attachments (
  received_mail_id uuid not null references received_mails (id) on delete cascade,
  -- Beginning with 1, in the order of the message.
  n smallint not null,
  filename text,
  content_type text not null,
  content_id text,
  disposition text not null,
  encoding text not null,
  -- Octets of the source, as substring() counts them, in their transfer encoding.
  starts_at integer not null,
  encoded_bytes integer not null,
  -- Of the decoded file.
  size_bytes integer not null,
  primary key (received_mail_id, n),
  constraint received_attachments_disposition_check check (disposition in ('attachment', 'inline')),
  constraint received_attachments_encoding_check check (encoding in ('identity', 'base64', 'quoted-printable'))
);
