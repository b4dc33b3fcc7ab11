-- A form of type update changes what a contact told before, through a link that was mailed to their address. Older nodes write none.
alter table form_submissions add column is_update boolean not null default false;
-- The submissions of one contact, for what they told last and for its history. The key is that of every address (0016).
create index form_submissions_of_contact on form_submissions
  (instance_id, (lower((answers ->> 'EMAIL') collate "und-x-icu") collate "default"), id)
  where status = 'confirmed';
