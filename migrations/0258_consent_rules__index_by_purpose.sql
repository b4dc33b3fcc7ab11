-- For the audience of a broadcast: all standing rules of a purpose in the order of contacts, read from the index only.
create index consent_rules_of_purpose on consent_rules (instance_id, purpose_id, contact, term_id, id desc)
  include (action, is_confirmed, event_id)
  where channel = 'mail' and contact_type = 'email_address';
