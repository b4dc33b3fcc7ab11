-- Images that the HTML shows (`cid:`, RFC 2392), and whether a file is shown or offered. A node of an older release sends them as
-- plain attachments.
alter table message_attachments
  add column content_id text check (length(content_id) between 1 and 254),
  add column disposition text check (disposition in ('inline', 'attachment'));
