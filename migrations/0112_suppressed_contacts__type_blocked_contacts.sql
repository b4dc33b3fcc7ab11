-- Blocked contacts of one type, as rows have them: a code that has the text of an address blocks nobody who has that address. Who is
-- blocked is decided by the keyed hash; the request has the contact beside it. A function for the reason of 0097, whose function stays
-- until no older version runs.
create function blocked_contacts(of_instance bigint, of_type text) returns text[] language plpgsql stable parallel safe as $$
begin
  if not exists (select from suppressed_contacts s where s.instance_id = of_instance and s.kind = 'blocked') then
    return null;
  end if;
  return array(
    select given.contact ->> 'contact'
    from suppressed_contacts s join rights_requests r on r.id = s.request_id
    cross join jsonb_array_elements(r.contacts) with ordinality as given (contact, place)
    where s.instance_id = of_instance and s.kind = 'blocked' and r.contact_hashes[given.place] = s.hash
      and given.contact ->> 'contact_type' = of_type);
end $$;
