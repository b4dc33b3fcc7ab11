-- The values that a send gave for its template, as JSON: the content is rendered when it is delivered or shown. Octets, as
-- the content beside it, since nothing in the database looks inside.
alter table messages add column variables bytea;
