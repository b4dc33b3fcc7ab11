-- Names whose sending an operator ended, in every instance. They outlive the registrations of the name: one that is deleted
-- and made again is revoked from the start. What an instance revokes by itself is only in its own registration.
create table revoked_domains (
  domain text primary key check (domain = lower(domain) and length(domain) between 1 and 253),
  revoked_at timestamptz not null default now()
);

-- Those that are revoked now, by the word of the audit trail.
insert into revoked_domains (domain)
select distinct d.domain
from domains d
cross join lateral (
  select a.actor_kind from audit_events a
  where a.instance_id = d.instance_id and a.object_kind = 'domain' and a.object_id = d.id::text and a.action = 'domain.revoked'
  order by a.id desc limit 1
) as last
where 'revoked' = all (array[d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status]) and last.actor_kind = 'operator';

update domains set mx_status = 'revoked', spf_status = 'revoked', dkim_status = 'revoked', dmarc_status = 'revoked',
  check_reasons = '{}', updated_at = now()
where deleted_at is null and not is_sandbox and domain in (select domain from revoked_domains) and mx_status <> 'revoked';
