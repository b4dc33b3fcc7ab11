-- Where a form is linked to that nobody named, it is the default of its type: one to register with, or one to change data with.
-- What the former rule lets through, this one does too. Older nodes clear the default of both types before they set one.
create unique index forms_default_of_type on forms (instance_id, kind, type) where is_default and deleted_at is null;
drop index forms_one_default;
