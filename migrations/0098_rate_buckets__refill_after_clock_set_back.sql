-- The time is read under the lock of the row, so a time of the last refill that lies ahead means that the clock was set
-- back. Kept, it would stop the bucket until the clock is there again.
create or replace function lease_tokens(
  bucket text, rate double precision, burst double precision, needed double precision, wanted double precision,
  out granted double precision, out available double precision
) language plpgsql as $$
declare
  held rate_buckets;
  moment timestamptz;
begin
  insert into rate_buckets (key, tokens, refilled_at) values (bucket, burst, clock_timestamp()) on conflict (key) do nothing;
  select * into held from rate_buckets where key = bucket for update;
  moment := clock_timestamp();
  available := least(burst, held.tokens + greatest(0, extract(epoch from moment - held.refilled_at)) * rate);
  granted := case when available >= wanted then wanted when available >= needed then available else 0 end;
  available := available - granted;
  update rate_buckets set tokens = available, refilled_at = moment where key = bucket;
end $$;
