-- What the scheduled checks of `doctor` found last: for metrics and for the panel, whichever node ran them.
create table check_results (
  name text primary key check (length(name) <= 100),
  ok boolean not null,
  detail text not null,
  action text,
  checked_at timestamptz not null
);
